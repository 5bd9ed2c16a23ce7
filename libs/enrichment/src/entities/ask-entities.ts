import {
  CodedError,
  done,
  type ErrorCode,
  type Outcome,
  skipped,
  type TenantId,
  withoutInstructions,
} from '@postmaster/contracts';
import { enqueue, type Finished, type Job } from '@postmaster/durable';
import { isModelOut } from '../model-out.js';
import { afterFailure, MOST_TRIES, payForReply, type PayPorts } from '../pay-for-reply.js';
import type { TaskPrompt } from '../prompt/compose-prompt.js';
import { type PromptLanguage, promptLanguage } from '../prompt/prompt-tasks.js';
import { keepEntityReplies, keepPaidEntities, readUnasked, type Unasked } from '../rows/entity-replies.js';
import { readOwnPrompts } from '../rows/own-prompts.js';
import type { EnrichmentTables } from '../rows/tables.js';
import type { EntityModel } from './entity-model.js';
import { entityParts, PART } from './entity-parts.js';
import { entityPrompts } from './entity-prompt.js';
import { type EntityReply, NOTHING_SAID } from './entity-reply.js';

export interface AskPorts extends PayPorts {
  /** Whom a tenant's documents are read by; rules alone where nobody is. Throws SERVICE_UNAVAILABLE, TIMED_OUT. */
  modelOf: (tenant: TenantId) => Promise<EntityModel | undefined>;
}

/** Of one document, before others have their turn. */
const MOST_PARAGRAPHS = 64;

/**
 * Asks a model what a document's paragraphs name and how that is related, several paragraphs a call: those that it has
 * not been asked about. What it says of each is kept as it comes, so that neither a kill nor another try pays for it
 * twice, and brought into the graph by `findEntities`. While the model is out, or the budget used up, what rules found
 * stands.
 */
export const askEntities =
  (ports: AskPorts) =>
  async (tenant: TenantId, jobs: readonly Job[], signal: AbortSignal): Promise<Finished<EnrichmentTables>> => {
    const outcomes = new Map<string, Outcome>();
    const unfinished: Job[] = [];
    for (const job of jobs) {
      const { outcome, goesOn } = await askOfDocument(ports, tenant, job, signal);
      outcomes.set(job.id, outcome);
      if (goesOn) unfinished.push(job);
    }
    return { outcomes, store: (tx) => enqueue(tx, tenant, unfinished) };
  };

interface Asking {
  tenant: TenantId;
  job: Job;
  model: EntityModel;
  prompts: Record<PromptLanguage, TaskPrompt>;
  signal: AbortSignal;
}

const askOfDocument = async (
  ports: AskPorts,
  tenant: TenantId,
  job: Job,
  signal: AbortSignal,
): Promise<{ outcome: Outcome; goesOn?: boolean }> => {
  let failed: unknown;
  try {
    const model = await ports.modelOf(tenant);
    if (!model) return { outcome: skipped('no model is asked for entities') };
    const { unasked, prompts } = await ports.db.asTenant(tenant, async (tx) => ({
      unasked: await readUnasked(tx, job.document, MOST_PARAGRAPHS),
      prompts: entityPrompts(await readOwnPrompts(tx, 'entities')),
    }));
    const asking = { tenant, job, model, prompts, signal };
    for (const part of entityParts(unasked))
      try {
        await askPart(ports, asking, part);
      } catch (error) {
        if (signal.aborted || !(error instanceof CodedError) || stopsAll(error.code)) throw error;
        if (job.attempts >= MOST_TRIES) await giveUp(ports, asking, part);
        else failed = error;
      }
    if (failed === undefined) return { outcome: done(), goesOn: unasked.length === MOST_PARAGRAPHS };
  } catch (error) {
    failed = error;
  }
  return { outcome: afterFailure(failed, job, signal, ports.pauseMs) };
};

const stopsAll = (code: ErrorCode): boolean => isModelOut(code) || code === 'BUDGET_USED';

/** What a model does not take together it is asked in halves; of a single paragraph that it does not take, rules stand. */
const askPart = async (ports: AskPorts, asking: Asking, part: readonly Unasked[]): Promise<void> => {
  const { tenant, job, model, prompts, signal } = asking;
  const texts = part.map(({ text }) => withoutInstructions(text).slice(0, PART).trim());
  const [first] = part;
  if (!first || texts.every((text) => text === '')) return giveUp(ports, asking, part);
  const prompt = prompts[promptLanguage(first.language)];
  const asked = { title: withoutInstructions(first.title).trim(), language: first.language, texts, prompt };
  try {
    await payForReply<EntityReply>(
      ports,
      job,
      {
        model: model.id,
        ask: (within) => model.readEntities(asked, within),
        keep: (tx, paid) => {
          const said = part.map(({ id }, at) => ({ id, reply: saidOf(paid.reply, at + 1) }));
          return keepPaidEntities(tx, tenant, job, paid, { said, promptVersion: prompt.version });
        },
      },
      signal,
    );
  } catch (error) {
    if (!(error instanceof CodedError) || !NOT_TAKEN.has(error.code)) throw error;
    if (part.length === 1) return giveUp(ports, asking, part);
    const half = Math.ceil(part.length / 2);
    for (const some of [part.slice(0, half), part.slice(half)]) await askPart(ports, asking, some);
  }
};

const NOT_TAKEN: ReadonlySet<ErrorCode> = new Set(['MODEL_DECLINED', 'MODEL_TEXT_TOO_LONG']);

/** A passage that is left out names nothing. */
const saidOf = ({ passages }: EntityReply, number: number) => {
  const { entities, relations } = passages.find((one) => one.number === number) ?? NOTHING_SAID;
  return { entities, relations };
};

/** They have what rules found, until they are asked for anew. */
const giveUp = (ports: AskPorts, { tenant, job }: Asking, part: readonly Unasked[]): Promise<void> =>
  ports.db.asTenant(tenant, (tx) =>
    keepEntityReplies(tx, tenant, job, {
      said: part.map(({ id }) => ({ id, reply: NOTHING_SAID })),
      ...{ model: '', promptVersion: '' },
    }),
  );
