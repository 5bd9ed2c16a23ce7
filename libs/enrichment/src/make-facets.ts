import { CodedError, done, failure, later, type Outcome, paused, retry, type TenantId } from '@postmaster/contracts';
import type { Facets } from '@postmaster/contracts';
import { type Database, type Finished, type Job, publish } from '@postmaster/durable';
import type { Transaction } from 'kysely';
import type { FacetModel } from './facet-model.js';
import { inputHash } from './input-hash.js';
import { readWanted, storeFacets, type Wanted } from './rows/paragraphs.js';
import { claimReply, dropClaim, keepReply } from './rows/replies.js';
import type { EnrichmentTables } from './rows/tables.js';

export interface MakeFacetsPorts {
  db: Database<EnrichmentTables>;
  model: FacetModel;
  /** How long an unreachable model is left alone. */
  pauseMs?: number;
  onCall?: (ms: number, outcome: 'done' | 'failed', usage?: { inputTokens: number; outputTokens: number }) => void;
}

interface Made {
  id: string;
  inputHash: string;
  facets: Facets;
}

/** A claim outlives the longest call; after a kill it is freed at the start, or lapses. */
const CLAIM_MS = 10 * 60_000;

/** Makes the facets of paragraphs; no input is paid for twice, whatever is killed when. */
export const makeFacets =
  (ports: MakeFacetsPorts) =>
  async (tenant: TenantId, jobs: readonly Job[], signal: AbortSignal): Promise<Finished<EnrichmentTables>> => {
    const wanted = new Map(
      (
        await ports.db.asTenant(tenant, (tx) =>
          readWanted(
            tx,
            jobs.map((job) => job.key),
          ),
        )
      ).map((one) => [one.id, one]),
    );
    const outcomes = new Map<string, Outcome>();
    const made: Made[] = [];
    for (const job of jobs) {
      const paragraph = wanted.get(job.key);
      const result = paragraph ? await makeOne(ports, tenant, paragraph, signal) : GONE;
      outcomes.set(job.id, result.outcome);
      if (result.made) made.push(result.made);
    }
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
      },
    };
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

const GONE: { outcome: Outcome; made?: Made } = { outcome: { kind: 'skipped', why: 'the paragraph is gone' } };

const makeOne = async (
  { db, model, pauseMs = 5_000, onCall }: MakeFacetsPorts,
  tenant: TenantId,
  { id, input }: Wanted,
  signal: AbortSignal,
): Promise<{ outcome: Outcome; made?: Made }> => {
  const hash = inputHash(model, input);
  if (model.id === 'extractive') {
    const { facets } = await model.makeFacets(input, signal);
    return { outcome: done(), made: { id, inputHash: hash, facets } };
  }
  const claimed = await db.asTenant(tenant, (tx) =>
    claimReply(tx, tenant, { inputHash: hash, paragraph: id }, CLAIM_MS),
  );
  if (claimed.state === 'there') return { outcome: done(), made: { id, inputHash: hash, facets: claimed.facets } };
  if (claimed.state === 'asked')
    return { outcome: later(500, failure('CONFLICT', 'The same input is being asked for.')) };
  const began = performance.now();
  try {
    const reply = await model.makeFacets(input, signal);
    await db.asTenant(tenant, (tx) => keepReply(tx, hash, reply));
    onCall?.(performance.now() - began, 'done', reply.usage);
    return { outcome: done(), made: { id, inputHash: hash, facets: reply.facets } };
  } catch (error) {
    onCall?.(performance.now() - began, 'failed');
    await db.asTenant(tenant, (tx) => dropClaim(tx, hash));
    return { outcome: outcomeOf(error, pauseMs) };
  }
};

/** A model that is out pauses the work at no cost; one that keeps answering nonsense to this input spends an attempt. */
const outcomeOf = (error: unknown, pauseMs: number): Outcome => {
  if (!(error instanceof CodedError)) throw error;
  if (error.code === 'MODEL_UNREACHABLE' || error.code === 'MODEL_REFUSED') return paused(pauseMs, error.toFailure());
  return retry(1_000, error.toFailure());
};
