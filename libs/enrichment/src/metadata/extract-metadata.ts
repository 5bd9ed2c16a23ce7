import {
  CodedError,
  done,
  type ExtractedField,
  hashOf,
  type Outcome,
  paused,
  readMetadata,
  skipped,
  type TenantId,
  withoutInstructions,
} from '@postmaster/contracts';
import type { Finished, Job } from '@postmaster/durable';
import { afterFailure, payForReply, type PayPorts } from '../pay-for-reply.js';
import { type ExtractedNow, inputsOf, storeExtracted } from '../rows/extracted.js';
import { keepMetadataReply, keptReply } from '../rows/metadata-replies.js';
import { type OwnPromptFor, readOwnPrompts } from '../rows/own-prompts.js';
import type { EnrichmentTables } from '../rows/tables.js';
import { checkReply } from './check-reply.js';
import type { DocumentText } from './document-text.js';
import { extractByRules, RULES_VERSION } from './extract-by-rules.js';
import type { MetadataModel } from './metadata-model.js';
import { metadataInstructions } from './metadata-prompt.js';
import type { MetadataReply } from './metadata-reply.js';

export interface ExtractPorts extends PayPorts {
  /** How documents begin, of those that are there with a text. Throws SERVICE_UNAVAILABLE, TIMED_OUT. */
  readDocuments: (
    tenant: TenantId,
    ids: readonly string[],
  ) => Promise<readonly (DocumentText & { id: string; version: number })[]>;
  /** A tenant's model; rules alone where there is none. */
  modelOf: (tenant: TenantId) => Promise<MetadataModel | undefined>;
}

/**
 * Extracts the metadata of documents, a job each: by rules always, and by the model where there is one, whose values win
 * where the text has them. A reply is kept as soon as it comes and by its input, so that a kill or another try asks for
 * none again. What is extracted from the same input by the same rules and model is left as it is.
 */
export const extractMetadata =
  (ports: ExtractPorts) =>
  async (tenant: TenantId, jobs: readonly Job[], signal: AbortSignal): Promise<Finished<EnrichmentTables>> => {
    const outcomes = new Map<string, Outcome>();
    const made: ExtractedNow[] = [];
    try {
      const model = await ports.modelOf(tenant);
      const ids = jobs.map(({ document }) => document);
      const documents = new Map((await ports.readDocuments(tenant, ids)).map(uninstructed).map((one) => [one.id, one]));
      const { before, ownPrompt } = await ports.db.asTenant(tenant, async (tx) => ({
        before: await inputsOf(tx, ids),
        ownPrompt: model ? await readOwnPrompts(tx, 'metadata') : () => undefined,
      }));
      await Promise.all(
        jobs.map(async (job) => {
          const document = documents.get(job.document);
          if (!document) return outcomes.set(job.id, skipped('its text is not stored, or it is gone'));
          const known = before.get(job.document);
          const { outcome, made: one } = await extractOne(
            ports,
            tenant,
            job,
            { document, model, ownPrompt },
            signal,
            known,
          );
          if (one) made.push({ ...one, document: document.id, version: document.version, lane: job.lane });
          return outcomes.set(job.id, outcome);
        }),
      );
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      for (const job of jobs) outcomes.set(job.id, paused(ports.pauseMs ?? 5_000, error.toFailure()));
    }
    return {
      outcomes,
      store: async (tx, held) => {
        const kept = new Set(held.map(({ job }) => job.document));
        for (const one of made) if (kept.has(one.document)) await storeExtracted(tx, tenant, one);
      },
    };
  };

/** As long as before, so that spans hold; what tells a model what to do is seen by no rule, no model and no check. */
const uninstructed = <D extends DocumentText>(document: D): D => ({
  ...document,
  title: withoutInstructions(document.title).trim(),
  text: withoutInstructions(document.text),
  found: Object.fromEntries(
    Object.entries(document.found).map(([key, said]) => [
      key,
      typeof said === 'string' ? withoutInstructions(said) : said,
    ]),
  ),
});

/** Of what is read, by which rules and model. Another prompt alone makes nothing anew; it is part of a reply's key. */
const hashOfInput = ({ title, contentType, language, createdAt, found, text }: DocumentText, model?: MetadataModel) =>
  hashOf(
    RULES_VERSION,
    ...(model ? [model.id] : []),
    ...[title, contentType, language ?? '', createdAt ?? '', JSON.stringify(found), text],
  );

interface Input {
  document: DocumentText & { id: string; version: number };
  model: MetadataModel | undefined;
  ownPrompt: OwnPromptFor;
}

type Made = Omit<ExtractedNow, 'document' | 'version' | 'lane'>;

/** While the model is out, or the tenant's budget is used up, the rules' metadata stand. */
const extractOne = async (
  ports: ExtractPorts,
  tenant: TenantId,
  job: Job,
  { document, model, ownPrompt }: Input,
  signal: AbortSignal,
  before: string | undefined,
): Promise<{ outcome: Outcome; made?: Made }> => {
  const inputHash = hashOfInput(document, model);
  if (before === `${document.version} ${inputHash}`) return { outcome: done() };
  const asked = (reply: MetadataReply, by = model?.id): { outcome: Outcome; made: Made } => ({
    outcome: done(),
    made: { ...joined(document, checkReply(reply, document)), inputHash, model: by ?? null },
  });
  const byRules: Made = {
    fields: extractByRules(document).fields,
    dropped: 0,
    inputHash: hashOfInput(document),
    model: null,
  };
  if (!model || document.text.trim() === '') return { outcome: done(), made: { ...byRules, inputHash } };
  const prompt = metadataInstructions(document.language, ownPrompt(document.language));
  const replyKey = hashOf(inputHash, prompt.version);
  const kept = await ports.db.asTenant(tenant, (tx) => keptReply(tx, job.document, replyKey));
  if (kept) return asked(kept);
  const of = { document: document.id, version: document.version };
  try {
    const paid = await payForReply(
      ports,
      job,
      {
        model: model.id,
        ask: (within) => model.readMetadata({ ...document, prompt }, within),
        keep: (tx, one) => keepMetadataReply(tx, tenant, of, replyKey, one),
      },
      signal,
    );
    return asked(paid.reply, paid.model);
  } catch (error) {
    const outcome = afterFailure(error, job, signal, ports.pauseMs);
    return signal.aborted ? { outcome } : { outcome, made: byRules };
  }
};

/** Headers are facts; of the rest the model's counts, and the rules' where it says nothing, for the type that it is then. */
const joined = (
  document: DocumentText,
  checked: { fields: ExtractedField[]; dropped: number },
): Pick<ExtractedNow, 'fields' | 'dropped'> => {
  const said = checked.fields.find(({ name }) => name === 'type')?.value;
  const { type, fields: rules } = extractByRules(document, said);
  const headers = rules.filter(({ from }) => from === 'header');
  const all = [...headers, ...checked.fields, ...rules];
  const first = all.filter(({ name }, at) => all.findIndex((other) => other.name === name) === at);
  return { fields: readMetadata(type, first).fields, dropped: checked.dropped };
};
