import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '@lancedb/lancedb';
import { NAMED_VECTORS, TenantId } from '@postmaster/contracts';
import { lanceDbStore } from '@postmaster/vectors';

/** What is still in journals goes into the tables, as a compaction does. */
const takeIn = async (folder: string, indexes: readonly string[]): Promise<void> => {
  const store = lanceDbStore({ folder });
  for (const name of indexes) await store.optimize(TenantId.parse('default'), { name, encoder: '', dimension: 0 });
  await store.close();
};

/** Every paragraph's point of the tenant `default` as it lies on disk when no server runs: doubles would show. */
export const indexedPoints = async (folder: string): Promise<{ id: string; vectors: string[] }[]> => {
  const root = join(folder, 'data', 'vectors');
  const indexes = readdirSync(root);
  await takeIn(root, indexes);
  const points = [];
  for (const index of indexes) {
    const table = await (await connect(join(root, index))).openTable('default');
    const rows = (await table
      .query()
      .where('position >= 0')
      .select(['id', ...NAMED_VECTORS])
      .toArray()) as Record<string, { length: number } | null>[];
    for (const row of rows)
      points.push({ id: String(row.id), vectors: NAMED_VECTORS.filter((name) => (row[name]?.length ?? 0) > 0) });
    table.close();
  }
  return points;
};
