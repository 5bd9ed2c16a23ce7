import type { DocumentFacts, Facets } from '@postmaster/contracts';
import type { ColumnType, Generated } from 'kysely';

type Json<T> = ColumnType<T, string, string>;
type Moment = ColumnType<Date, Date | string, Date | string>;

/** What a paragraph's point is to be, and what of it was written. */
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
  facets_revision: Generated<number>;
  /** Counts up at each change of what the point is to be. */
  revision: Generated<string>;
  written_index: string | null;
  written_text: string | null;
  written_facets: number | null;
  windows: Generated<number>;
  written_at: Moment | null;
}

export interface ProjectedDocumentRow {
  tenant: string;
  id: string;
  version: number;
  facts: Json<DocumentFacts>;
  /** The newest version that was deleted. */
  buried: number | null;
}

/** The encoder a tenant's index was made with. */
export interface IndexRow {
  tenant: string;
  name: string;
  encoder: string;
  dimension: number;
}

export interface EmbeddingTables {
  paragraphs: ProjectionRow;
  documents: ProjectedDocumentRow;
  indexes: IndexRow;
}
