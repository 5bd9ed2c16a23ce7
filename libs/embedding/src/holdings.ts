import type { IndexSpec, PlaceLeft, TenantId } from '@postmaster/contracts';
import { type Database, eraseTenantRows, heldInRows, type Holdings, tenantLeft } from '@postmaster/durable';
import type { Transaction } from 'kysely';
import { documentsLeft } from './documents-left.js';
import type { Encoder } from './encoder.js';
import type { PointStore } from './point-store.js';
import { indexesOf } from './rows/evaluations.js';
import { indexOf, nextIndexOf } from './rows/indexes.js';
import type { EmbeddingTables } from './rows/tables.js';

interface HoldingPorts {
  db: Database<EmbeddingTables>;
  store: PointStore;
  encoder: Pick<Encoder, 'id' | 'dimension'>;
}

/** Rows and points. */
export const holdings = (ports: HoldingPorts): Holdings => ({
  ...heldInRows(ports.db),
  documentsLeft: documentsLeft(ports),
  tenantLeft: (tenant) => countTenant(ports, tenant),
  eraseTenant: (tenant) => eraseTenant(ports, tenant),
});

/** The tenant's own indexes, and those that points may be in when the rows that name them are gone. */
const indexesOfTenant = async (
  tx: Transaction<EmbeddingTables>,
  encoder: HoldingPorts['encoder'],
): Promise<IndexSpec[]> => {
  const noted = await tx.selectFrom('indexes').select(['name', 'encoder', 'dimension']).execute();
  const first = indexOf(encoder);
  const all = [...noted, first, nextIndexOf(encoder, first.name)];
  return [...new Map(all.map((index) => [index.name, index])).values()];
};

const countTenant = async ({ db, store, encoder }: HoldingPorts, tenant: TenantId): Promise<PlaceLeft[]> => {
  const { rows, indexes } = await db.evenClosed(tenant, async (tx) => ({
    rows: await tenantLeft(tx),
    indexes: await indexesOfTenant(tx, encoder),
  }));
  let points = 0;
  for (const index of indexes) points += await store.count(tenant, index);
  return [...rows, { place: 'vectors', left: points, kept: null }];
};

/** The points go before the rows that name their indexes: what a kill interrupts is found again. */
const eraseTenant = async ({ db, store, encoder }: HoldingPorts, tenant: TenantId): Promise<boolean> => {
  const { indexes, evaluations } = await db.evenClosed(tenant, async (tx) => ({
    indexes: await indexesOfTenant(tx, encoder),
    evaluations: await tx.selectFrom('evaluations').selectAll().execute(),
  }));
  for (const { index } of evaluations.flatMap(indexesOf)) await store.dropIndex(index.name);
  for (const index of indexes) await store.drop(tenant, index);
  const kept = ['indexes', 'evaluations']; // until all else is gone
  return db.evenClosed(tenant, async (tx) => {
    const ended = await eraseTenantRows(tx, { kept });
    return ended && (await eraseTenantRows(tx));
  });
};
