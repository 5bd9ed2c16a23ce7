import type { TenantId } from '@postmaster/contracts';
import type { Schemas } from '@qdrant/js-client-rest';
import { ofTenant } from './point-filter.js';
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
    let offset: Schemas['ScrollRequest']['offset'];
    do {
      const page = { filter, offset, limit: POINTS_A_PAGE, with_payload: ['id', 'revision'] };
      const { points, next_page_offset } = await call((client) => client.scroll(collection, page));
      for (const { payload } of points) found.set(String(payload?.id), Number(payload?.revision));
      offset = typeof next_page_offset === 'object' ? undefined : next_page_offset;
    } while (offset !== undefined);
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
