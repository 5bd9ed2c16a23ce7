import type { Facets } from '@postmaster/contracts';
import type { ColumnType, Generated } from 'kysely';

type Json<T> = ColumnType<T, string, string>;

export interface EnrichmentParagraphRow {
  tenant: string;
  id: string;
  document: string;
  version: number;
  title: string;
  trail: Json<string[]>;
  before: string;
  text: string;
  after: string;
  language: string | null;
  lane: 'interactive' | 'bulk';
  /** Counts up each time facets are made anew; 0 before the first. */
  revision: Generated<number>;
  facets: Json<Facets | null> | null;
  /** Of what the facets were made from. */
  input_hash: string | null;
}

/** A model's reply, kept by the hash of its whole input; without facets a claim of whoever is asking. */
export interface ReplyRow {
  tenant: string;
  input_hash: string;
  facets: Json<Facets | null> | null;
  input_tokens: number;
  output_tokens: number;
  /** Of claims that name no job, as the version before this one writes them. */
  asked_until: ColumnType<Date, Date | string, Date | string>;
  /** The job that asks, by its id and fence: its claim holds while its lease does. */
  asked_by: string | null;
  asked_fence: string | null;
}

/** A paragraph that a reply was asked for: a reply lasts while one of them does. */
export interface ReplyUseRow {
  tenant: string;
  input_hash: string;
  paragraph: string;
}

/** How often something of a paragraph's facets did not count, by part and reason. */
export interface RejectionRow {
  tenant: string;
  paragraph: string;
  part: string;
  reason: string;
  count: number;
}

export interface TombstoneRow {
  tenant: string;
  document: string;
  version: number;
}

export interface EnrichmentTables {
  paragraphs: EnrichmentParagraphRow;
  replies: ReplyRow;
  reply_uses: ReplyUseRow;
  rejections: RejectionRow;
  tombstones: TombstoneRow;
}
