export {
  type EmbeddingBehaviour,
  type EmbeddingCall,
  type EmbeddingFault,
  type EmbeddingServer,
  startEmbeddingServer,
} from './embedding-server.js';
export { deliver, eventOf, hurry, jobsOf, told, toldEvents, until, untilSettled, type WaitingJob } from './delivery.js';
export { type NatsServer, natsServerBinary, type NatsServerOptions, startNats } from './nats-server.js';
export { durableRows } from './durable-rows.js';
export { freePort } from './free-port.js';
export { type PostgresOptions, type PostgresServer, postgresBinaries, startPostgres } from './postgres-server.js';
export {
  type QdrantLauncher,
  qdrantLauncher,
  type QdrantServer,
  type QdrantServerOptions,
  startQdrant,
} from './qdrant-server.js';
export { FakeCandidateStore, type FakePoint, pointPayload } from './fake-candidate-store.js';
export { FakeEncoder } from './fake-encoder.js';
export { facetsOf, FakeFacetModel } from './fake-facet-model.js';
export { FakeParser } from './fake-parser.js';
export { FakePointStore, type KeptPoint } from './fake-point-store.js';
export { FakeReranker } from './fake-reranker.js';
export { FakeRequests } from './fake-requests.js';
export {
  type ModelBehaviour,
  type ModelCall,
  type ModelFault,
  type ModelServer,
  startModelServer,
} from './model-server.js';
export { type GateMeasure, measureGate, type RecordedParagraph, recordedParagraphs } from './planted/measure-gate.js';
export { standInAnswer, standInFacets } from './model-server/stand-in-replies.js';
export {
  compoundFile,
  docxBomb,
  type DocxPart,
  encryptedDocx,
  encryptedPdf,
  type MailPart,
  mixedPdf,
  type PdfFacts,
  type PdfLine,
  type PdfPicture,
  type PictureFacts,
  placedPdf,
  type OfficeFacts,
  type PptxSlide,
  sampleDoc,
  sampleDocx,
  sampleEpub,
  sampleOdt,
  sampleMail,
  sampleMsg,
  pdfOfObjects,
  samplePdf,
  samplePicture,
  samplePptx,
  sampleTiff,
  sampleXlsx,
  scannedPdf,
  truncated,
  type XlsxCell,
  zipArchive,
  zipBomb,
  zipOf,
} from './sample-files.js';
export { documentFacts, enriched, idOf, parsed } from './work-events.js';
export { overlapModel } from './onnx-fixture.js';
export {
  type RerankerCall,
  type RerankerFault,
  type RerankerServer,
  type RerankerShape,
  startRerankerServer,
} from './reranker-server.js';
export { ENTITY_TEXTS, RECORDED_ENTITIES } from './recorded-entities.js';
export { METADATA_DOCUMENTS, type MetadataDocument } from './metadata-documents/index.js';
export { PLAN_KNOWN, PLAN_NOW, PLAN_REQUESTS } from './plan-requests.js';
export type { PlanRequest } from './plan-requests/plan-request.js';
export { type MutatedDocument, mutateDocument, type SourceDocument } from './mutate-document.js';
export { seeded } from './seeded.js';
export { wordsInOrder, wordsOf } from './words-in-order.js';
export { NotStarted, type ServingOptions, type ServingProcess, startServing } from './serving-process.js';
export { type S3Fault, type S3Server, startS3Server } from './s3-server.js';
export { startWire, type TcpWire } from './tcp-wire.js';
export { profileOf } from './tenant-profile.js';
export { ATTACKS } from './poisoned/attacks.js';
export { FOREIGN, type PoisonedDocument, poisonedDocuments } from './poisoned/poisoned-documents.js';
