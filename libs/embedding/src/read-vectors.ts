import type { TenantId } from '@postmaster/contracts';
import type { Database } from '@postmaster/durable';
import { readTargets } from './rows/indexes.js';
import { marksIn } from './rows/marks.js';
import type { EmbeddingTables } from './rows/tables.js';

export interface VectorInfo {
  name: string;
  encoder: string;
  count: number;
  windows: number;
  indexedAt: Date;
}

/** Which named vectors these paragraphs have, in order; null for one that is not indexed. */
export const readVectors =
  (db: Database<EmbeddingTables>) =>
  (tenant: TenantId, ids: readonly string[]): Promise<(VectorInfo[] | null)[]> =>
    db.asTenant(tenant, async (tx) => {
      const rows = await tx
        .selectFrom('paragraphs')
        .selectAll()
        .where('id', 'in', [...ids, ''])
        .execute();
      const [serving] = await readTargets(tx);
      const found = new Map(
        rows.map((row) => {
          if (!serving) return [row.id, null];
          const written = marksIn(row, serving);
          if (!written.at) return [row.id, null];
          const facets = written.facets === null ? null : row.facets;
          const counts: [string, number][] = [
            ['paragraph', written.text === null ? 0 : 1],
            ['simple_questions', facets?.simpleQuestions.length ?? 0],
            ['complex_questions', facets?.complexQuestions.length ?? 0],
            ['context', facets?.context ? 1 : 0],
            ['scope', facets?.scope ? 1 : 0],
          ];
          const { encoder } = serving;
          const { windows, at: indexedAt } = written;
          return [
            row.id,
            counts.flatMap(([name, count]) =>
              count === 0 ? [] : [{ name, encoder, count, windows: name === 'paragraph' ? windows : 1, indexedAt }],
            ),
          ];
        }),
      );
      return ids.map((id) => found.get(id) ?? null);
    });
