import type { Client, DocumentFilter } from '../client/client.js';
import type { Document } from '../client/shapes.js';
import { CliError, usage } from '../cli-error.js';

export interface Chosen {
  filter: DocumentFilter;
  total: number;
  /** The first of them. */
  documents: Document[];
}

/** More ids than this are not shown one by one. */
const LOOKED_AT = 100;

/** The documents that a command's ids or filter options mean. Throws where there are none, or an id is not known. */
export const chosenDocuments = async (
  client: Client,
  ids: readonly string[],
  wanted: DocumentFilter,
): Promise<Chosen> => {
  const byFilter = Object.values(wanted).some((value) => value !== undefined);
  if (ids.length === 0 && !byFilter)
    throw usage('Nothing is named.', 'Give ids, or --status or --collection; `--help` shows examples.');
  if (ids.length > 0 && byFilter) throw usage('Ids and filters are both given.', 'Give one or the other.');
  const own = [...new Set(ids)];
  const filter = own.length > 0 ? { ids: own } : wanted;
  const { nodes, totalCount } = await client.documents(filter, LOOKED_AT);
  if (totalCount < own.length) {
    const known = new Set(nodes.map(({ id }) => id));
    const unknown = totalCount <= LOOKED_AT ? own.filter((id) => !known.has(id)) : [];
    const named = unknown.slice(0, 5).join(', ') || `${own.length - totalCount} of the ids`;
    throw new CliError(
      'NOT_FOUND',
      `There is no document ${named}.`,
      'See `postmaster documents` for those that are there; nothing was done.',
    );
  }
  if (totalCount === 0)
    throw new CliError('NOT_FOUND', 'No document fits.', 'See `postmaster documents` for those that are there.');
  return { filter, total: totalCount, documents: nodes };
};
