import { type Consumer, moneyOf, priceOf, type Prices } from '@postmaster/contracts';
import { type Database, onceByOne } from '@postmaster/durable';
import { costAdded } from '../rows/costs.js';
import type { TenantsTables } from '../rows/tables.js';
import { monthOf } from './budget.js';

/** Writes each reply that was paid for into its tenant's ledger: once, however often it is told; in the month it came. */
export const keepCosts = (db: Database<TenantsTables>, prices: Prices): Consumer<'model.called'> => ({
  name: 'tenants.keep-costs',
  types: ['model.called'],
  handle: (event) => {
    const money = moneyOf(priceOf(prices, event.data.model), event.data);
    return onceByOne(db, 'tenants.keep-costs', event, (isNew) =>
      costAdded(isNew, event.tenant, monthOf(new Date(event.time)), event.data, money),
    );
  },
});
