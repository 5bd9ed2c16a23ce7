export { signatureOf } from './mail/signed-body.js';
export { createGateway, type Gateway, type GatewayParts } from './create-gateway.js';
export type { DocumentBytes, StoredOriginal, Upload, UploadFields, Uploads } from './document-bytes.js';
export type { GatewayConfig } from './gateway-config.js';
export type { LocalSubgraph, RemoteSubgraph, Subgraph } from './graph/subgraph-source.js';
export type { RemoteOptions, RemoteTimeouts } from './remote/ingestion-connection.js';
export { type RemoteDocuments, remoteDocuments } from './remote/remote-documents.js';
