import { type EventData, requireBudget, type TenantBudgets, type TenantId } from '@postmaster/contracts';
import { type Database, isUnreachable, publish } from '@postmaster/durable';
import type { RetrievalTables } from '../rows/tables.js';
import type { ModelLedger } from './model-ledger.js';

export interface OutboxLedgerPorts {
  db: Database<RetrievalTables>;
  budgets: TenantBudgets;
  onError: (error: unknown) => void;
}

export interface OutboxLedger extends ModelLedger {
  /** Resolves when all that was told is written down; what can't be is not waited for any more. */
  close(): Promise<void>;
}

/** While the rows are out of reach, what was told is held in memory for so long; answers need no rows. */
const KEEP = { tries: 120, everyMs: 500 };

/** Tells the tenant's ledger by this service's outbox. */
export const outboxLedger = ({ db, budgets, onError }: OutboxLedgerPorts): OutboxLedger => {
  const underWay = new Set<Promise<void>>();
  let isClosing = false;
  const write = async (tenant: TenantId, cost: EventData<'model.called'>): Promise<void> => {
    for (let tries = 1; ; tries++)
      try {
        await db.asTenant(tenant, (tx) => publish(tx, tenant, 'model.called', cost));
        return;
      } catch (error) {
        if (!isUnreachable(error) || tries === KEEP.tries || isClosing) return onError(error);
        await new Promise((resolve) => setTimeout(resolve, KEEP.everyMs));
      }
  };
  return {
    requireBudget: (tenant) => requireBudget(budgets, tenant),
    tell: (tenant, task, paid) => {
      budgets.spent(tenant, paid);
      const writing = write(tenant, { ...paid, task, document: '', version: 0 }).finally(() =>
        underWay.delete(writing),
      );
      underWay.add(writing);
    },
    close: async () => {
      isClosing = true;
      await Promise.all(underWay);
    },
  };
};
