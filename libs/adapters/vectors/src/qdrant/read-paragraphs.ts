import type { PointPayload, TenantId } from '@postmaster/contracts';
import type { ParagraphChoice, StoredParagraph } from '@postmaster/retrieval';
import { inOrder } from '../read-paragraphs.js';
import { searchFilter, within } from './point-filter.js';
import { pointId } from './point-id.js';
import { type PointRecord, vectorsIn } from './point-record.js';
import type { QdrantCall } from './qdrant-calls.js';

/** The tenant's active paragraphs of a choice, in one call. */
export const readParagraphs = async (
  call: QdrantCall,
  collection: string,
  tenant: TenantId,
  { ids, spans, filter, vectors = false }: ParagraphChoice,
  most: number,
): Promise<StoredParagraph[]> => {
  const passing = searchFilter(tenant, filter, 'paragraph');
  if (!passing || ids?.length === 0 || spans?.length === 0) return [];
  const must = [
    ...passing.must,
    ...(ids ? [{ has_id: ids.map((id) => pointId(tenant, id)) }] : []),
    ...(spans ? [{ should: spans.map(within) }] : []),
  ];
  const { points } = await call((client) =>
    client.scroll(collection, {
      filter: { must },
      limit: most,
      with_payload: ['id', 'point'],
      with_vector: vectors && ['paragraph'],
    }),
  );
  return inOrder(
    points.map(({ payload, vector }) => {
      const { id, point } = payload as unknown as PointRecord; // written by this library alone
      return {
        id,
        payload: JSON.parse(point) as PointPayload,
        vector: (vectors && vectorsIn(vector).paragraph[0]) || null,
      };
    }),
  );
};
