export { createGateway, type Gateway, type GatewayParts } from './create-gateway.js';
export type { DocumentBytes, StoredOriginal, Upload, UploadFields, Uploads } from './document-bytes.js';
export type { GatewayConfig } from './gateway-config.js';
export type { LocalSubgraph, RemoteSubgraph, Subgraph } from './graph/subgraph-source.js';
