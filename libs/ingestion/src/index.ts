export { type AcceptDocument } from './accept-document.js';
export type { BlobStore, StoredBlob } from './blob-store.js';
export type { Block, FoundAttachment, KeepAttachment, ParsedDocument, ParseLimits, Parser } from './block.js';
export type { BulkJob } from './bulk-job.js';
export {
  type ChunkableDocument,
  type ChunkedParagraph,
  type Chunker,
  type ChunkSettings,
  codePointsOf,
  type CodePoints,
  type EncodePassages,
  STRATEGIES,
} from './chunk/index.js';
export type { Accepted, Document, DocumentStatus, GivenDocument, Paragraph, StageCounts } from './document.js';
export type { FetchDocument, FetchedDocument } from './fetch-document.js';
export type { FileChoice, FileState, FolderFiles, FolderListing, FoundFile } from './folders/folder-files.js';
export { type Folder, GivenFolder } from './folders/folder.js';
export {
  type IngestionPorts,
  type IngestionService,
  ingestionService,
  type IngestionUseCases,
} from './ingestion-service.js';
export type { DocumentReads } from './read-documents.js';
export type { DocumentFilter, DocumentOrder } from './rows/document-pages.js';
export { INGESTION_SCHEMA, ingestionMigrations } from './rows/migrations.js';
export type { IngestionTables } from './rows/tables.js';
