import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '@lancedb/lancedb';
import { NAMED_VECTORS } from '@postmaster/contracts';

/** Every point of the tenant `default` as it lies on disk: doubles would show. */
export const indexedPoints = async (folder: string): Promise<{ id: string; vectors: string[] }[]> => {
  const root = join(folder, 'data', 'vectors');
  const points = [];
  for (const index of readdirSync(root)) {
    const table = await (await connect(join(root, index))).openTable('default');
    const rows = (await table
      .query()
      .select(['id', ...NAMED_VECTORS])
      .toArray()) as Record<string, { length: number } | null>[];
    for (const row of rows)
      points.push({ id: String(row.id), vectors: NAMED_VECTORS.filter((name) => (row[name]?.length ?? 0) > 0) });
    table.close();
  }
  return points;
};
