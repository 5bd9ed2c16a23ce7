import type { TenantId } from '@postmaster/contracts';
import type { PointPage } from '@postmaster/embedding';
import type { Schemas } from '@qdrant/js-client-rest';
import { ofDocuments, ofTenant } from './point-filter.js';
import { pointId } from './point-id.js';
import type { QdrantCall } from './qdrant-calls.js';

const POINTS_A_PAGE = 1000;

/** The revisions of these points, or of all of the tenant's, page by page. */
export const readRevisions = async (
  call: QdrantCall,
  collection: string,
  tenant: TenantId,
  ids?: readonly string[],
): Promise<Map<string, number>> => {
  const found = new Map<string, number>();
  const read = async (filter: Schemas['Filter']): Promise<void> => {
    let after: string | undefined;
    do {
      const { revisions, next } = await scroll(call, collection, filter, after);
      for (const [id, revision] of revisions) found.set(id, revision);
      after = next;
    } while (after !== undefined);
  };
  if (!ids) await read(ofTenant(tenant));
  else
    for (let i = 0; i < ids.length; i += POINTS_A_PAGE)
      await read(
        ofTenant(
          tenant,
          ids.slice(i, i + POINTS_A_PAGE).map((id) => pointId(tenant, id)),
        ),
      );
  return found;
};

/** The tenant's points that come next, in the order of their ids in the store. */
export const readPage = (
  call: QdrantCall,
  collection: string,
  tenant: TenantId,
  after: string | undefined,
): Promise<PointPage> => scroll(call, collection, ofTenant(tenant), after);

export const countPoints = async (
  call: QdrantCall,
  collection: string,
  tenant: TenantId,
  documents?: readonly string[],
): Promise<number> => {
  const filter = documents ? ofDocuments(tenant, documents) : ofTenant(tenant);
  return (await call((client) => client.count(collection, { filter, exact: true }))).count;
};

const scroll = async (
  call: QdrantCall,
  collection: string,
  filter: Schemas['Filter'],
  offset: string | undefined,
): Promise<PointPage> => {
  const page = { filter, offset, limit: POINTS_A_PAGE, with_payload: ['id', 'revision'] };
  const { points, next_page_offset: next } = await call((client) => client.scroll(collection, page));
  const revisions = new Map(points.map(({ payload }) => [String(payload?.id), Number(payload?.revision)]));
  return { revisions, ...(typeof next === 'string' && { next }) }; // our points' ids are UUIDs
};
