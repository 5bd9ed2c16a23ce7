import type { ExtractedField, Facets, Lane, Scalar } from '@postmaster/contracts';
import type { ColumnType, Generated } from 'kysely';
import type { EntityTables } from './entity-tables.js';
import type { Genre } from '../prompt/genre.js';
import type { PromptLanguage, PromptTask } from '../prompt/prompt-tasks.js';

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
  /** What its document was taken for when facets of this version were first wanted, or wanted anew. */
  genre: Genre | null;
  /** Among the paragraphs of its document. */
  position: Generated<number>;
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

/** What was found in a document's newest version, and what it comes to with what people corrected. */
export interface ExtractedRow {
  tenant: string;
  document: string;
  version: number;
  /** Counts up at each change of what it comes to. */
  revision: Generated<number>;
  /** Of what it was extracted from, and by which rules and model. */
  input_hash: string;
  lane: Lane;
  /** As rules, headers and a model have it. */
  fields: Json<ExtractedField[]>;
  /** Values of a model that the text does not have. */
  dropped: number;
  model: string | null;
  /** With corrections; so are the two after it. */
  shown: Json<ExtractedField[]>;
  filters: Json<Record<string, Scalar>>;
  dated: ColumnType<string | null, string | null, string | null>;
  extracted_at: ColumnType<Date, never, Date>;
}

/** What a person says of a document, over its versions; a value of null: it has none. */
export interface CorrectionRow {
  tenant: string;
  document: string;
  name: string;
  value: Json<unknown> | null;
  corrected_by: string;
  corrected_at: ColumnType<Date, never, Date>;
}

export interface MetadataReplyRow {
  tenant: string;
  document: string;
  input_hash: string;
  reply: Json<unknown>;
  input_tokens: number;
  output_tokens: number;
}

/** What a tenant has models told in place of, or beside, the shipped prompt of a task and language. */
export interface OwnPromptRow {
  tenant: string;
  task: PromptTask;
  language: PromptLanguage;
  version: number;
  instructions: string | null;
  rules: string | null;
  changed_by: string;
  changed_at: ColumnType<Date, never, Date>;
}

/** What a document's newest version comes to. */
export interface SummaryRow {
  tenant: string;
  document: string;
  version: number;
  /** Of what it was made from, and by whom. */
  input_hash: string;
  points: Json<string[]>;
  paragraph: string;
  model: string;
  prompt_version: string;
  /** Counts up at each change of the paragraph; what was told of it names the one that it was. */
  revision: number;
}

/** What a model said of a document or a part of it. */
export interface SummaryReplyRow {
  tenant: string;
  document: string;
  input_hash: string;
  reply: Json<unknown>;
}

export interface EnrichmentTables extends EntityTables {
  own_prompts: OwnPromptRow;
  summaries: SummaryRow;
  summary_replies: SummaryReplyRow;
  extracted: ExtractedRow;
  corrections: CorrectionRow;
  metadata_replies: MetadataReplyRow;
  paragraphs: EnrichmentParagraphRow;
  replies: ReplyRow;
  reply_uses: ReplyUseRow;
  rejections: RejectionRow;
  tombstones: TombstoneRow;
}
