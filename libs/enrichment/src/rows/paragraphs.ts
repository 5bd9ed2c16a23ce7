import type { Facets, Lane, TenantId, WorkData } from '@postmaster/contracts';
import { enqueue, publish } from '@postmaster/durable';
import { type Selectable, sql, type Transaction } from 'kysely';
import type { FacetInput } from '../facet-model.js';
import { FACET_PARTS, type Rejection } from '../gate/rejection.js';
import { genreOf, genreOfExtracted } from '../prompt/genre.js';
import { extractedType } from './extracted.js';
import { storeRejections } from './rejections.js';
import { forgetEntities } from './entities.js';
import { SUMMARIZE_DOCUMENT } from './summaries.js';
import type { EnrichmentParagraphRow, EnrichmentTables } from './tables.js';
import { goneUpTo } from './tombstones.js';

type Tx = Transaction<EnrichmentTables>;

export const MAKE_FACETS = 'enrichment.make-facets';
export const EXTRACT_METADATA = 'enrichment.extract-metadata';
export const FIND_ENTITIES = 'enrichment.find-entities';

const NEIGHBOUR = 400;

/**
 * Takes in parsed paragraphs: new ones get a job, those with facets keep them and say so again. Older versions than
 * a row's, and those that are gone, fall away.
 */
export const takeIn = async (tx: Tx, tenant: TenantId, batch: WorkData<'paragraphs.parsed'>): Promise<void> => {
  if ((await goneUpTo(tx, tenant, batch.document)) >= batch.version) return;
  const rows = batch.paragraphs.map((paragraph, i) => ({
    id: paragraph.id,
    position: paragraph.position,
    trail: paragraph.trail,
    before: (i > 0 ? batch.paragraphs[i - 1]?.text : batch.before)?.slice(-NEIGHBOUR) ?? '',
    text: paragraph.text,
    after: (i < batch.paragraphs.length - 1 ? batch.paragraphs[i + 1]?.text : batch.after)?.slice(0, NEIGHBOUR) ?? '',
    language: paragraph.language ?? batch.facts.language,
  }));
  const extracted = batch.version > 1 ? await extractedType(tx, batch.document) : undefined; // of a first one nothing is yet
  const genre = genreOf(batch.facts, extracted) ?? null;
  const { rows: kept } = await sql<Pick<Selectable<EnrichmentParagraphRow>, 'id' | 'revision' | 'facets'>>`
    insert into paragraphs (tenant, id, document, version, title, trail, before, text, after, language, lane, genre, position)
    select ${tenant}, p.id, ${batch.document}, ${batch.version}, ${batch.facts.title}, p.trail, p.before, p.text, p.after,
           p.language, ${batch.lane}, ${genre}, p.position
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as p(id text, trail json, before text, text text, after text, language text, position int)
    on conflict (tenant, id) do update set version = excluded.version, title = excluded.title, trail = excluded.trail,
      -- what the extractive enricher made of a text quotes it: it is made anew where the text is to be stored no longer
      facets = case when excluded.text = '' and paragraphs.text <> '' and paragraphs.facets->>'model' = 'extractive'
        then null else paragraphs.facets end,
      position = excluded.position, before = excluded.before, text = excluded.text, after = excluded.after, language = excluded.language, lane = excluded.lane,
      -- told once for a version: what is extracted of it meanwhile makes no other question of the same paragraph
      genre = case when paragraphs.version = excluded.version then paragraphs.genre else excluded.genre end
      where paragraphs.version <= excluded.version
    returning id, revision, facets`.execute(tx);
  await publishFacets(tx, tenant, batch, kept);
  const wanting = kept.filter((row) => !row.facets).map((row) => row.id);
  await wantFacets(tx, tenant, batch, wanting);
  const { document, version, lane } = batch;
  if (batch.facts.reference) return forgetEntities(tx, tenant, ids(batch)); // of its text nothing is stored
  const opens = batch.paragraphs.some(({ position }) => position === 0);
  const job = { key: document, document, version, lane };
  await enqueue(tx, tenant, [
    ...(opens ? [EXTRACT_METADATA, SUMMARIZE_DOCUMENT].map((kind) => ({ kind, ...job })) : []),
    { kind: FIND_ENTITIES, ...job, afterMs: lane === 'bulk' ? GATHER_MS : 0 },
  ]);
};

/** Takes a document for what its metadata say now, where nothing told before or a person says it. */
export const retakeGenre = async (tx: Tx, document: string): Promise<void> => {
  const extracted = await extractedType(tx, document);
  const genre = extracted && genreOfExtracted(extracted.type);
  if (!genre) return;
  await sql`
    update paragraphs set genre = ${genre}
    where document = ${document} and (genre is null or ${extracted.byPerson})`.execute(tx);
};

const ids = ({ paragraphs }: WorkData<'paragraphs.parsed'>): string[] => paragraphs.map(({ id }) => id);

/** Entities of bulk work are found many documents at a time. */
const GATHER_MS = 500;

/** Gives out the facets that there are, again where they were given out before. */
export const publishFacets = async (
  tx: Tx,
  tenant: TenantId,
  { document, version, lane }: { document: string; version: number; lane: Lane },
  rows: readonly { id: string; revision: number; facets: Facets | null }[],
): Promise<void> => {
  const paragraphs = rows.flatMap(({ id, revision, facets }) => (facets ? [{ id, revision, facets }] : []));
  for (let i = 0; i < paragraphs.length; i += 32)
    await publish(tx, tenant, 'paragraphs.enriched', {
      document,
      version,
      lane,
      paragraphs: paragraphs.slice(i, i + 32),
    });
};

export const wantFacets = (
  tx: Tx,
  tenant: TenantId,
  { document, version, lane }: { document: string; version: number; lane: Lane },
  ids: readonly string[],
): Promise<void> =>
  enqueue(
    tx,
    tenant,
    ids.map((id) => ({ kind: MAKE_FACETS, key: id, document, version, lane })),
  );

/** The open transaction's tenant has none of these jobs begun before `ms` from now: one statement, however many wait. */
export const restAll = (tx: Tx, kind: string, ms: number): Promise<unknown> =>
  sql`
  update jobs set run_at = now() + ${ms} * interval '1 millisecond'
  where kind = ${kind} and state = 'ready' and run_at < now() + ${ms} * interval '1 millisecond'`.execute(tx);

export interface Wanted {
  id: string;
  document: string;
  version: number;
  lane: Lane;
  input: FacetInput;
}

/** What the facets of these paragraphs are to be made from, none of which is erased while the transaction is open; one that was is left out. */
export const readWanted = async (tx: Tx, ids: readonly string[]): Promise<Wanted[]> => {
  const rows = await tx
    .selectFrom('paragraphs')
    .selectAll()
    .where('id', '=', sql<string>`any(${ids})`)
    .orderBy('id')
    .forKeyShare()
    .execute();
  return rows.map(({ id, document, version, lane, title, trail, before, text, after, language, genre }) => ({
    id,
    document,
    version,
    lane,
    input: { title, trail, before, text, after, language, genre: genre ?? undefined },
  }));
};

/** Stores new facets and gives them out, by document. Facets that are the same change nothing but are said again. */
export const storeFacets = async (
  tx: Tx,
  tenant: TenantId,
  made: readonly { id: string; inputHash: string; facets: Facets; rejected: readonly Rejection[] }[],
): Promise<void> => {
  if (made.length === 0) return;
  const { rows } = await sql<Selectable<EnrichmentParagraphRow>>`
    update paragraphs set facets = m.facets, input_hash = m."inputHash",
      revision = revision + case when paragraphs.input_hash is distinct from m."inputHash"
        or paragraphs.facets::text is distinct from m.facets::text then 1 else 0 end -- the gate may keep less of the same reply
    from json_to_recordset(${JSON.stringify(made)}::json) as m(id text, "inputHash" text, facets json)
    where paragraphs.id = m.id
    returning paragraphs.*`.execute(tx);
  await storeRejections(tx, tenant, FACET_PARTS, made);
  for (const group of byDocument(rows)) if (group[0]) await publishFacets(tx, tenant, group[0], group);
};

const byDocument = <R extends { document: string; version: number }>(rows: readonly R[]): R[][] => {
  const groups = new Map<string, R[]>();
  for (const row of rows) {
    const key = `${row.document}:${row.version}`;
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()];
};
