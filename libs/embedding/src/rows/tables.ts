import type { DocumentFacts, EvaluationCollection, Facets, Failure, Scalar } from '@postmaster/contracts';
import type { ColumnType, Generated } from 'kysely';

type Json<T> = ColumnType<T, string, string>;
type Moment = ColumnType<Date, Date | string, Date | string>;

/** What the point of a paragraph, or of a document's summary, is to be, and what of it was written. */
export interface ProjectionRow {
  tenant: string;
  id: string;
  document: string;
  version: number;
  position: number;
  page: number | null;
  start_at: number;
  end_at: number;
  trail: Json<string[]>;
  text_hash: string;
  text: string;
  active: boolean;
  /** The point is to go, then the row. */
  erased: Generated<boolean>;
  facets: Json<Facets | null> | null;
  /** Of the facets; of a summary, its own. */
  facets_revision: Generated<number>;
  /** Counts up at each change of what the point is to be. */
  revision: Generated<string>;
  /** Marks of what was written, in two slots: while an index is filled, the one that serves keeps its own. */
  written_index: string | null;
  written_text: string | null;
  written_facets: number | null;
  windows: Generated<number>;
  written_at: Moment | null;
  second_index: string | null;
  second_text: string | null;
  second_facets: number | null;
  second_windows: Generated<number>;
  second_at: Moment | null;
}

export interface ProjectedDocumentRow {
  tenant: string;
  id: string;
  version: number;
  facts: Json<DocumentFacts>;
  /** The newest version that was deleted. */
  buried: number | null;
}

/** What was extracted of a document's metadata, as far as filters use it. */
export interface MetadataRow {
  tenant: string;
  document: string;
  version: number;
  revision: number;
  values: Json<Record<string, Scalar>>;
  /** ISO 8601: the day that the document bears. */
  dated: string | null;
}

/** An index of a tenant, with the encoder that it is made with. */
export interface IndexRow {
  tenant: string;
  name: string;
  encoder: string;
  dimension: number;
  /** At most one serves and one is filled; a retired one holds nothing that is looked at. */
  role: Generated<'serving' | 'filling' | 'retired'>;
  /** Which marks of a paragraph's row are about it. */
  slot: Generated<number>;
  /** What those marks name it by: another one each time that it is filled. Null: its name. */
  mark: string | null;
  /** When it was last compared with the rows. */
  reconciled_at: ColumnType<Date, never, Date>;
}

/** A comparison of rows and points, or the filling of a new index. A tenant has one at a time. */
export interface IndexRunRow {
  tenant: string;
  id: string;
  kind: 'reconcile' | 'rebuild';
  phase: Phase;
  dry_run: boolean;
  /** The index that is compared or filled; null until a comparison has begun. */
  index_name: string | null;
  encoder: string | null;
  dimension: number | null;
  /** Where the phase goes on. */
  cursor: Generated<string>;
  /** Paragraphs that there were when it began. */
  total: number;
  filled: Generated<number>;
  looked: Generated<number>;
  missing: Generated<number>;
  orphaned: Generated<number>;
  stale: Generated<number>;
  mended: Generated<number>;
  /** Why it waits or failed. */
  fault: Json<Failure | null> | null;
  started_at: ColumnType<Date, never, never>;
  switched_at: Moment | null;
  finished_at: Moment | null;
}

/** Points beside those that serve, for as long as somebody measures with them. */
export interface EvaluationRow {
  tenant: string;
  id: string;
  encoder: string;
  dimension: number;
  collections: Json<EvaluationCollection[]>;
  /** As many as were put in, a repeated one repeated. */
  paragraphs: Generated<number>;
  used_at: ColumnType<Date, never, never>;
}

export type Phase = 'clearing' | 'filling' | 'rows' | 'points' | 'dropping' | 'done' | 'failed';

export interface EmbeddingTables {
  paragraphs: ProjectionRow;
  documents: ProjectedDocumentRow;
  metadata: MetadataRow;
  indexes: IndexRow;
  index_runs: IndexRunRow;
  evaluations: EvaluationRow;
}
