import { kindOf } from '@postmaster/contracts';
import type { ParagraphChoice, StoredParagraph } from '@postmaster/retrieval';
import type { OpenTable } from './open-table.js';
import { passesFilter } from './passes-filter.js';
import { idCondition, kindCondition, pointCondition, spanCondition } from './point-condition.js';
import { payloadOf } from './read-points.js';
import { rowReader } from './row-reader.js';

/** The active paragraphs of a choice: those of the table that have not changed since, and of those that have. */
export const readParagraphs = async (
  { reader, fresh }: OpenTable,
  { ids, spans, filter, vectors = false }: ParagraphChoice,
  most: number,
): Promise<StoredParagraph[]> => {
  const passes = passesFilter(filter);
  const found: StoredParagraph[] = fresh
    .present()
    .filter(({ payload }) => kindOf(payload) === 'paragraph')
    .filter(({ id, payload }) => (ids?.includes(id) ?? true) && passes(payload) && liesIn(payload, spans))
    .map(({ id, payload, vectors: { paragraph } }) => ({ id, payload, vector: (vectors && paragraph[0]) || null }));
  const conditions = [
    pointCondition(filter),
    kindCondition('paragraph'),
    ...(ids ? [idCondition(ids)] : []),
    ...(spans ? [spanCondition(spans)] : []),
  ];
  const query = reader
    .query()
    .where(conditions.join(' AND '))
    .limit(most + fresh.size);
  for await (const batch of query.select(['id', 'payload', ...(vectors ? ['paragraph'] : [])])) {
    const row = rowReader(batch);
    const [id, payload] = [row.strings('id'), row.strings('payload')];
    const vector = vectors ? row.vectors('paragraph') : () => [];
    for (let at = 0; at < row.rows && found.length < most; at++)
      if (!fresh.has(id(at)))
        found.push({ id: id(at), payload: payloadOf(payload(at)), vector: vector(at)[0]?.slice() ?? null });
  }
  return inOrder(found).slice(0, most);
};

const liesIn = (payload: StoredParagraph['payload'], spans: ParagraphChoice['spans']): boolean =>
  spans?.some(
    ({ document, from, to }) => payload.document === document && payload.position >= from && payload.position <= to,
  ) ?? true;

/** By document, version and position. */
export const inOrder = (paragraphs: readonly StoredParagraph[]): StoredParagraph[] =>
  [...paragraphs].sort(({ payload: a }, { payload: b }) =>
    a.document === b.document ? a.version - b.version || a.position - b.position : a.document < b.document ? -1 : 1,
  );
