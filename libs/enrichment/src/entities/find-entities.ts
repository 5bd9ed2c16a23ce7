import { type TenantId, withoutInstructions } from '@postmaster/contracts';
import { type Database, enqueue, type Finished, type Job } from '@postmaster/durable';
import { ENTITY_PARTS, type EntityPart, type Rejection, type RejectionReason } from '../gate/rejection.js';
import { storeEntities } from '../rows/entities.js';
import { type FoundInParagraph, readUnread } from '../rows/entity-mentions.js';
import { ASK_ENTITIES } from '../rows/entity-replies.js';
import { storeRejections } from '../rows/rejections.js';
import type { EnrichmentTables } from '../rows/tables.js';
import { PassageReply } from './entity-reply.js';
import { findMentions } from './find-mentions.js';
import { joinReply } from './join-reply.js';

/** Paragraphs that are read for one settlement: some 100 ms of work that others wait for. */
const MOST_PARAGRAPHS = 400;
/** Others have their turn after so many. */
const BREATH = 4;

export interface FindPorts {
  db: Database<EnrichmentTables>;
  /** Whether a model is to be asked beside the rules. */
  isAsked: (tenant: TenantId) => Promise<boolean>;
  onRejected?: (reason: RejectionReason) => void;
}

/**
 * Finds by rules what paragraphs name, with what a model said of them where it was asked: in those of these documents
 * that were not read yet, or by older rules, or before the model's reply. The graph comes of texts and kept replies
 * alone, so that it is the same whatever was in first. What only an instruction to a model names is nothing that the
 * document names. Those that no model has seen are given to it, where one is asked.
 */
export const findEntities =
  ({ db, isAsked, onRejected }: FindPorts) =>
  async (tenant: TenantId, jobs: readonly Job[]): Promise<Finished<EnrichmentTables>> => {
    const documents = jobs.map(({ document }) => document);
    const unread = await db.asTenant(tenant, (tx) => readUnread(tx, documents, MOST_PARAGRAPHS));
    const found: FoundInParagraph[] = [];
    const judged: { id: string; rejected: Rejection<EntityPart>[] }[] = [];
    for (const [at, { id, document, text, language, reply, by }] of unread.entries()) {
      if (at % BREATH === BREATH - 1) await new Promise(setImmediate);
      const read = withoutInstructions(text);
      const byRules = findMentions(read, language);
      const joined = reply === null ? undefined : joinReply(read, byRules, PassageReply.parse(reply));
      found.push({ paragraph: id, document, by, ...(joined?.found ?? byRules) });
      if (joined) judged.push({ id, rejected: joined.rejected });
    }
    const unasked = new Set(unread.filter(({ reply }) => reply === null).map(({ document }) => document));
    const asked =
      unasked.size > 0 && (await isAsked(tenant)) ? jobs.filter(({ document }) => unasked.has(document)) : [];
    for (const { rejected } of judged) for (const { reason } of rejected) onRejected?.(reason);
    return {
      outcomes: new Map(),
      store: async (tx) => {
        await storeEntities(tx, tenant, found);
        await storeRejections(tx, tenant, ENTITY_PARTS, judged);
        await enqueue(
          tx,
          tenant,
          asked.map((job) => ({ ...job, kind: ASK_ENTITIES })),
        );
        if (unread.length === MOST_PARAGRAPHS) await enqueue(tx, tenant, jobs); // the rest of them
      },
    };
  };
