import {
  CodedError,
  done,
  failureOf,
  later,
  type Outcome,
  paused,
  requireBudget,
  retry,
  type TenantBudgets,
} from '@postmaster/contracts';
import type { Database, Job } from '@postmaster/durable';
import type { Transaction } from 'kysely';
import type { TokenUsage } from './facet-model.js';
import type { MakeFacetsPorts } from './make-facets.js';
import type { ModelGate } from './model-gate.js';
import { BUDGET_LOOK_MS, isModelOut } from './model-out.js';
import type { EnrichmentTables } from './rows/tables.js';

export interface PayPorts {
  db: Database<EnrichmentTables>;
  /** Shared with the facets: together they ask no more at once than the model takes. */
  gate?: ModelGate;
  budgets?: TenantBudgets;
  /** How long work rests while the model is out; 5 s. */
  pauseMs?: number;
  onCall?: MakeFacetsPorts['onCall'];
}

export interface PaidReply<R> {
  reply: R;
  usage: TokenUsage;
  /** Who answered. */
  model: string;
}

export interface Asked<R> {
  /** "openai:gpt-4o-mini": whose reply it is where it does not say. */
  model: string;
  ask: (signal: AbortSignal) => Promise<{ reply: R; usage: TokenUsage; model?: string }>;
  /** Keeps the reply and tells the ledger, before anything else is done with it: no reply is paid for twice. */
  keep: (tx: Transaction<EnrichmentTables>, paid: PaidReply<R>) => Promise<void>;
}

/**
 * One call of a model for a job about a document: within the tenant's budget, behind the facets' calls, counted, and kept
 * as it comes. Throws BUDGET_USED and what the model does.
 */
export const payForReply = async <R>(
  { db, gate, budgets, onCall }: PayPorts,
  { tenant, lane }: Pick<Job, 'tenant' | 'lane'>,
  { model, ask, keep }: Asked<R>,
  signal: AbortSignal,
): Promise<PaidReply<R>> => {
  await requireBudget(budgets, tenant);
  const leave = await gate?.enter(lane, 'document');
  const began = performance.now();
  try {
    signal.throwIfAborted();
    const { reply, usage, model: by = model } = await ask(signal);
    onCall?.(performance.now() - began, 'done', usage, by);
    const paid = { reply, usage, model: by };
    await db.asTenant(tenant, (tx) => keep(tx, paid));
    budgets?.spent(tenant, usage);
    return paid;
  } catch (error) {
    onCall?.(performance.now() - began, 'failed');
    throw error;
  } finally {
    leave?.();
  }
};

/** So often a model may answer nonsense about a document; then it has what there is without a model. */
export const MOST_TRIES = 3;

/** What becomes of a job whose call failed: while the model is out, or the budget used up, it waits and loses no try. */
export const afterFailure = (
  error: unknown,
  { attempts }: Pick<Job, 'attempts'>,
  signal: AbortSignal,
  pauseMs = 5_000,
): Outcome => {
  const why = failureOf(error);
  if (signal.aborted) return paused(0, why);
  if (!(error instanceof CodedError)) throw error;
  if (why.code === 'BUDGET_USED') return later(BUDGET_LOOK_MS, why);
  if (isModelOut(error.code)) return later(pauseMs, why);
  return attempts < MOST_TRIES ? retry(1_000, why) : done();
};
