import type { ModelCalls, TenantId } from '@postmaster/contracts';

/** What retrieval asks language models for, as a tenant's ledger names it. */
export type PaidTask = 'answers' | 'plans' | 'reranking' | 'grades' | 'set-summaries';

/** What a reply took, and which model gave it: a fallback may. */
export type PaidCalls = Omit<ModelCalls, 'task'>;

/** Hears of each reply that was paid for, whatever became of it. */
export type OnPaid = (paid: PaidCalls) => void;

/** A tenant's budget for language models, and its ledger. */
export interface ModelLedger {
  /** Throws BUDGET_USED where nothing more may be asked. */
  requireBudget(tenant: TenantId): Promise<void>;
  /** Has a reply written down, without the caller waiting for it. */
  tell(tenant: TenantId, task: PaidTask, paid: PaidCalls): void;
}

/** A call of a model that the tenant pays for: only while its budget lasts. Throws BUDGET_USED. */
export const onBudget = async <T>(
  ledger: ModelLedger | undefined,
  tenant: TenantId,
  task: PaidTask,
  call: (onPaid: OnPaid) => Promise<T>,
): Promise<T> => {
  await ledger?.requireBudget(tenant);
  return call((paid) => ledger?.tell(tenant, task, paid));
};
