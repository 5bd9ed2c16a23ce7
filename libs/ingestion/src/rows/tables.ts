import type { DocumentStatus, VersionChanges } from '../document.js';
import type { KnownFile } from '../folders/compare-files.js';
import type { FileReference, FolderMode } from '../folders/folder.js';
import type { Chunking, Failure, Lane } from '@postmaster/contracts';
import type { ColumnType, Generated } from 'kysely';

type Json<T> = ColumnType<T, string, string>;
type Moment = ColumnType<Date, Date | string, Date | string>;

export interface DocumentRow {
  tenant: string;
  id: string;
  source_type: string;
  source_id: string;
  source_uri: string | null;
  collection: string | null;
  /** Of the newest version, as are the next ones. */
  version: number;
  blob_hash: string | null;
  name: string;
  declared_type: string | null;
  given: Json<{ title?: string; createdAt?: string; metadata: Record<string, unknown> }>;
  /** As its uploader wants it cut; null: as the tenant does. */
  chunking: Chunking | null;
  /** How the newest version that was read is cut, as `cutOf` writes it; null before, or where it came before 0004. */
  cut: string | null;
  title: string;
  content_type: string;
  language: string | null;
  created_at: Moment | null;
  metadata: Json<Record<string, unknown>>;
  lane: Lane;
  status: DocumentStatus;
  failure: Json<Failure | null> | null;
  /** The version that answers searches; null before the first does. */
  active_version: number | null;
  active_blob_hash: string | null;
  /** Of its public events. */
  sequence: Generated<number>;
  added_at: Moment;
  accepted_at: Moment;
  progressed_at: Moment;
  /** How often it was given out anew since it last progressed. */
  stalls: Generated<number>;
  /** Services that have yet to erase it; null unless deleted. */
  erasing: Json<string[] | null> | null;
  deleted_at: Moment | null;
  /** The job that deleted it, where one did. */
  deletion: string | null;
  /** The mail or archive that it was found in; null for what was given by itself. */
  parent: string | null;
  /** The outermost of these. */
  root: string | null;
  /** How many of them there are. */
  depth: Generated<number>;
  /** Where its bytes stand, of which nothing is stored; null: they are in the blob store. */
  reference: Json<FileReference | null> | null;
  /** When the file that it came from was found to be gone. */
  gone_at: Moment | null;
  /** What the version that answers changed of the one before. */
  changes: Json<VersionChanges | null> | null;
}

export type StageState = 'pending' | 'done' | 'failed';

export interface ParagraphRow {
  tenant: string;
  document: string;
  version: number;
  id: string;
  position: number;
  page: number | null;
  start_at: number;
  end_at: number;
  /** What to read where it is found; both or neither. */
  parent_start: number | null;
  parent_end: number | null;
  trail: Json<string[]>;
  kind: 'text' | 'table' | 'list' | 'code';
  language: string | null;
  text_hash: string;
  text: string;
  unchanged: boolean;
  text_state: Generated<StageState>;
  facets_state: Generated<StageState>;
  text_failure: Json<Failure | null> | null;
  facets_failure: Json<Failure | null> | null;
}

/** What a parser made of some bytes: kept per tenant by their hash, so equal bytes are read once. */
export interface ParseRow {
  tenant: string;
  blob_hash: string;
  parser: string;
  content_type: string;
  title: string | null;
  language: string | null;
  created_at: Moment | null;
  metadata: Json<Record<string, string | number | boolean>>;
  text: string;
  blocks: Json<unknown[]>;
  page_starts: Json<number[] | null> | null;
}

export interface BlobRow {
  tenant: string;
  hash: string;
  bytes: ColumnType<string, number, number>;
  state: Generated<'live' | 'erasing'>;
}

/** What the newest version that was read of a document holds; each is to be a document. */
export interface AttachmentRow {
  tenant: string;
  parent: string;
  path: string;
  position: number;
  hash: string;
  name: string;
  content_type: string | null;
  bytes: ColumnType<string, number, number>;
  /** Its document was made; until then this row alone keeps the bytes. */
  accepted: Generated<boolean>;
}

/** Bytes stored for what lies in a document that is being read. */
export interface UnpackedRow {
  tenant: string;
  parent: string;
  hash: string;
}

export interface BulkJobRow {
  tenant: string;
  id: string;
  kind: 'DELETE' | 'RETRY' | 'ENRICH';
  status: 'RUNNING' | 'DONE';
  filter: Json<Record<string, unknown>>;
  cursor: string;
  total: number;
  done: number;
  failed: number;
  failures: Json<{ document: string; failure: Failure }[]>;
  started_at: Moment;
  finished_at: Moment | null;
}

export interface FolderRow {
  tenant: string;
  id: string;
  /** Without links. */
  path: string;
  include: Json<string[]>;
  exclude: Json<string[]>;
  collection: string | null;
  metadata: Json<Record<string, unknown> | null> | null;
  mode: FolderMode;
  watch: boolean;
  on_gone: 'keep' | 'delete';
  removing: Generated<boolean>;
  added_at: Moment;
  scanned_at: Moment | null;
  failure: Json<Failure | null> | null;
}

/** What a scan saw of a file. */
export interface FolderFileRow {
  tenant: string;
  folder: string;
  path: string;
  size: ColumnType<string, number, number>;
  mtime_ms: number;
  hash: string | null;
  document: string | null;
  state: KnownFile['state'];
  failure: Json<Failure | null> | null;
}

export interface IngestionTables {
  documents: DocumentRow;
  paragraphs: ParagraphRow;
  parses: ParseRow;
  blobs: BlobRow;
  attachments: AttachmentRow;
  unpacked: UnpackedRow;
  bulk_jobs: BulkJobRow;
  folders: FolderRow;
  folder_files: FolderFileRow;
}
