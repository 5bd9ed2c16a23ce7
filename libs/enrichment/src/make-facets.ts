import {
  CodedError,
  done,
  type Failure,
  failure,
  failureOf,
  hopeless,
  later,
  type Outcome,
  paused,
  type ReadTexts,
  requireBudget,
  retry,
  type TenantBudgets,
  type TenantId,
  unreadOutcome,
} from '@postmaster/contracts';
import type { ParagraphText } from '@postmaster/contracts';
import { type Database, type Finished, isUnreachable, type Job, publish } from '@postmaster/durable';
import type { Transaction } from 'kysely';
import { type AskFacets, askTogether } from './ask-together.js';
import type { FacetModel } from './facet-model.js';
import { inputHash } from './input-hash.js';
import type { JudgePorts } from './judge-reply.js';
import { type Asked, type Asking, type Made, makeChecked } from './make-checked.js';
import type { RejectionReason } from './gate/rejection.js';
import type { ModelGate } from './model-gate.js';
import { BUDGET_LOOK_MS, isModelOut } from './model-out.js';
import { facetInstructions } from './prompt/facet-prompt.js';
import { readOwnPrompts } from './rows/own-prompts.js';
import { shownInput } from './shown-input.js';
import { MAKE_FACETS, readWanted, restAll, storeFacets, type Wanted } from './rows/paragraphs.js';
import { othersOf } from './rows/read-others.js';
import { costOf } from './cost-of.js';
import { type Claimed, claimReplies, dropClaim, keepReply } from './rows/replies.js';
import type { EnrichmentTables } from './rows/tables.js';

export interface MakeFacetsPorts extends JudgePorts {
  db: Database<EnrichmentTables>;
  model: FacetModel;
  /** What the tenant has of its own; none unless told. */
  ownModel?: OwnModel;
  /** Texts of paragraphs whose rows have none, which ingestion reads from their files. Throws SERVICE_UNAVAILABLE, TIMED_OUT. */
  readTexts: ReadTexts;
  /** Keeps the calls that run at once to what the model takes, however many paragraphs are in hand. */
  gate?: ModelGate;
  /** Where paragraphs share calls: keeps those to what the model takes, whoever makes them. */
  calls?: ModelGate;
  /** Whose budget is used up waits, and others do not; nobody's, unless told. */
  budgets?: TenantBudgets;
  /** How long an unreachable model is left alone. */
  pauseMs?: number;
  /** Hears of each call, and of one that was answered by whom. */
  onCall?: (
    ms: number,
    outcome: 'done' | 'failed',
    usage?: { inputTokens: number; outputTokens: number },
    model?: string,
  ) => void;
  /** Hears why something that a model wrote does not count, once for each. */
  onRejected?: (reason: RejectionReason) => void;
  /** Hears of failures that nobody foresaw; the paragraph is tried again. */
  onFault?: (error: unknown) => void;
}

/** The model that a tenant uses in place of the server's; undefined where it uses that. Throws SERVICE_UNAVAILABLE. */
export type OwnModel = (tenant: TenantId) => Promise<FacetModel | undefined>;

/** How long a reply is held while the rows are out of reach; the lease of its job may lapse then. */
const KEEP = { tries: 120, everyMs: 500 };

/** Makes the facets of paragraphs; no input is paid for twice, whatever is killed when. */
export const makeFacets =
  (given: MakeFacetsPorts) =>
  async (tenant: TenantId, jobs: readonly Job[], signal: AbortSignal): Promise<Finished<EnrichmentTables>> => {
    const chosen = await chosenFor(given, tenant);
    if ('kind' in chosen) return { outcomes: new Map(jobs.map(({ id }) => [id, chosen])), store: async () => {} };
    const ports = {
      ...chosen,
      askFacets: askTogether(chosen.model, chosen.calls),
      readOthers: othersOf(chosen.db, tenant),
    };
    const { taken, unread } = await takeOn(ports, tenant, jobs);
    const outcomes = new Map<string, Outcome>();
    const made: Made[] = [];
    await Promise.all(
      jobs.map(async (job) => {
        const one = taken.get(job.key);
        const ask = (asking: Asking): Promise<Asked> => makeOne(ports, tenant, job, asking, signal);
        const result = one ? await makeChecked(ports, tenant, job, one, ask) : { outcome: unread.get(job.key) ?? GONE };
        outcomes.set(job.id, result.outcome);
        if (!('made' in result) || !result.made) return;
        made.push(result.made);
        for (const { reason } of result.made.rejected) ports.onRejected?.(reason);
      }),
    );
    return {
      outcomes,
      store: async (tx, held) => {
        const keys = new Set(held.map(({ job }) => job.key));
        await storeFacets(
          tx,
          tenant,
          made.filter(({ id }) => keys.has(id)),
        );
        await tellGivenUp(tx, tenant, held);
        if (held.some(({ outcome }) => 'why' in outcome && isUsed(outcome.why)))
          await restAll(tx, MAKE_FACETS, BUDGET_LOOK_MS);
      },
    };
  };

const isUsed = (why: Failure | string): boolean => typeof why !== 'string' && why.code === 'BUDGET_USED';

/** How long one tenant's own model is left alone when it is out: nobody else's work rests for it. */
const OWN_OUT_MS = 15_000;

interface ChosenPorts extends MakeFacetsPorts {
  isOwn: boolean;
}

/** For one tenant's jobs alone: no call is about two tenants' texts. */
type AskingPorts = ChosenPorts & { askFacets: AskFacets };

/** The ports with the model that this tenant's facets are made by; why they wait, where that can't be told. */
const chosenFor = async (ports: MakeFacetsPorts, tenant: TenantId): Promise<ChosenPorts | Outcome> => {
  try {
    const own = await ports.ownModel?.(tenant);
    return own ? { ...ports, model: own, gate: undefined, calls: undefined, isOwn: true } : { ...ports, isOwn: false };
  } catch (error) {
    return later(ports.pauseMs ?? 5_000, failureOf(error));
  }
};

/** Says which paragraphs stay without facets; nothing of those that are gone. */
export const tellGivenUp = async (
  tx: Transaction<EnrichmentTables>,
  tenant: TenantId,
  held: readonly { job: Job; outcome: Outcome }[],
): Promise<void> => {
  const why = new Map(
    held.flatMap(({ job, outcome }) => (outcome.kind === 'hopeless' ? [[job.key, outcome.why] as const] : [])),
  );
  if (why.size === 0) return;
  for (const { id, document, version } of await readWanted(tx, [...why.keys()])) {
    const failure = why.get(id);
    if (failure)
      await publish(tx, tenant, 'paragraphs.failed', {
        document,
        version,
        stage: 'facets',
        failures: [{ paragraph: id, failure }],
      });
  }
};

const GONE: Outcome = { kind: 'skipped', why: 'the paragraph is gone' };

/**
 * What these jobs are about, with whoever asks the model for it: one trip to the rows for all of them, and another one
 * for those whose texts are read from files in between. Of a file that can't be read, what follows from that.
 */
const takeOn = async (
  ports: MakeFacetsPorts,
  tenant: TenantId,
  jobs: readonly Job[],
): Promise<{ taken: ReadonlyMap<string, Asking>; unread: ReadonlyMap<string, Outcome> }> => {
  const { taken, textless } = await claimed(ports, tenant, jobs, new Map());
  if (textless.length === 0) return { taken, unread: new Map() };
  const { readTexts, pauseMs = 5_000 } = ports;
  try {
    const { texts, failures } = await readTexts(tenant, textless);
    const readable = jobs.filter(({ key }) => texts.has(key));
    const read = await claimed(ports, tenant, readable, texts);
    const unread = new Map(Array.from(failures, ([id, why]) => [id, unreadOutcome(why)]));
    return { taken: new Map([...taken, ...read.taken]), unread };
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    const outcome = paused(pauseMs, error.toFailure());
    return { taken, unread: new Map(textless.map((id) => [id, outcome])) };
  }
};

const textsIn = ({ text, before, after, trail }: ParagraphText) => ({ text, before, after, trail, mayQuote: false });

/** Claims in the transaction that reads, so that no paragraph is erased between the two; those without a text are named. */
const claimed = (
  { db, model }: MakeFacetsPorts,
  tenant: TenantId,
  jobs: readonly Job[],
  texts: ReadonlyMap<string, ParagraphText>,
): Promise<{ taken: Map<string, Asking>; textless: string[] }> =>
  db.asTenant(tenant, async (tx) => {
    const keys = jobs.map((job) => job.key);
    const ownPrompt = isExtractive(model) ? undefined : await readOwnPrompts(tx, 'facets');
    const rows = (await readWanted(tx, keys)).map(({ input, ...row }) => {
      const prompt = ownPrompt && facetInstructions(input, ownPrompt);
      const read = texts.get(row.id);
      return { ...row, input: { ...input, prompt, ...(read && textsIn(read)) } };
    });
    const [wanted, textless] = [rows.filter(hasText), rows.filter((row) => !hasText(row))];
    const hashed = wanted.map((one) => ({ ...one, hash: inputHash(model, one.input) }));
    const byKey = new Map(jobs.map((job) => [job.key, job]));
    const uses = hashed.flatMap(({ id, hash }) => {
      const job = byKey.get(id);
      return job ? [{ inputHash: hash, paragraph: id, job }] : [];
    });
    const claims = isExtractive(model) ? new Map<string, Claimed>() : await claimReplies(tx, tenant, uses);
    const taken = new Map<string, Asking>();
    for (const one of hashed) {
      taken.set(one.id, { ...one, claimed: claims.get(one.hash) });
      if (claims.get(one.hash)?.state === 'ours') claims.set(one.hash, { state: 'asked' }); // by the first of them
    }
    return { taken, textless: textless.map(({ id }) => id) };
  });

/** No paragraph is empty: one without a text has it in its file. */
const hasText = ({ input }: Wanted): boolean => input.text !== '';

const isExtractive = ({ id }: FacetModel): boolean => id === 'extractive';

const makeOne = async (
  { db, model, isOwn, gate, budgets, askFacets, pauseMs = 5_000, onCall, onFault }: AskingPorts,
  tenant: TenantId,
  job: Job,
  { id, document, version, input, hash, claimed }: Asking,
  signal: AbortSignal,
): Promise<Asked> => {
  const shown = shownInput(input);
  if (!/[\p{L}\p{N}]/u.test(shown.text)) {
    if (claimed?.state === 'ours') await db.asTenant(tenant, (tx) => dropClaim(tx, hash, job));
    return { outcome: hopeless(NOTHING_SAID) };
  }
  if (isExtractive(model)) {
    const { facets } = await model.makeFacets(shown, signal);
    return { outcome: done(), made: { id, inputHash: hash, facets } };
  }
  if (claimed?.state === 'there') return { outcome: done(), made: { id, inputHash: hash, facets: claimed.facets } };
  if (claimed?.state !== 'ours')
    return { outcome: later(500, failure('CONFLICT', 'The same input is being asked for.')) };
  const leave = await gate?.enter(job.lane, 'facets');
  let began: number | undefined;
  try {
    signal.throwIfAborted();
    await requireBudget(budgets, tenant);
    began = performance.now();
    const reply = await askFacets(document, shown, signal, job.lane);
    const told = costOf('facets', { document, version }, reply.facets.model, reply.usage);
    await whenRowsAnswer(signal, () => keepReply(db, tenant, hash, reply, told)); // before the next may ask: no more are lost by a kill than were in flight
    budgets?.spent(tenant, reply.usage);
    onCall?.(performance.now() - began, 'done', reply.usage, reply.facets.model);
    return { outcome: done(), made: { id, inputHash: hash, facets: reply.facets } };
  } catch (error) {
    if (began !== undefined) onCall?.(performance.now() - began, 'failed');
    await db.asTenant(tenant, (tx) => dropClaim(tx, hash, job)).catch(() => {}); // else it lapses with the lease
    if (!(error instanceof CodedError) && !signal.aborted) onFault?.(error);
    return { outcome: outcomeOf(error, isOwn, pauseMs, signal) };
  } finally {
    leave?.();
  }
};

const NOTHING_SAID = failure('FACETS_REJECTED', 'The paragraph says nothing but what it tells a language model to do.');

/** A reply that was paid for is not dropped because the database restarts. */
const whenRowsAnswer = async (signal: AbortSignal, keep: () => Promise<unknown>): Promise<void> => {
  for (let tries = 1; ; tries++)
    try {
      await keep();
      return;
    } catch (error) {
      if (!isUnreachable(error) || signal.aborted || tries === KEEP.tries) throw error;
      await new Promise((resolve) => setTimeout(resolve, KEEP.everyMs));
    }
};

/** A model that is out pauses the work at no cost; one that keeps answering nonsense to this input spends an attempt. */
const outcomeOf = (error: unknown, isOwn: boolean, pauseMs: number, signal: AbortSignal): Outcome => {
  const why = failureOf(error);
  if (why.code === 'BUDGET_USED') return later(BUDGET_LOOK_MS, why);
  if (signal.aborted) return paused(0, why);
  if (error instanceof CodedError && isModelOut(error.code))
    return isOwn ? later(OWN_OUT_MS, why) : paused(pauseMs, why);
  return HOPELESS.has(why.code) ? hopeless(why) : retry(1_000, why);
};

/** It would say the same again. */
const HOPELESS: ReadonlySet<string> = new Set(['MODEL_DECLINED', 'MODEL_TEXT_TOO_LONG']);
