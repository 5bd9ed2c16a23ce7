import { SUBGRAPH_LIMITS } from './graph/subgraph-connection.js';

export interface GatewayConfig {
  host: string;
  /** 0 for any free one. */
  port: number;
  /** Where browsers reach the server, if not at host and port: "https://search.example.org". */
  publicUrl?: string;
  /** The operator's key. */
  adminKey?: string;
  /** What senders of mails sign with; none are taken in without it. */
  mailWebhookSecret?: string;
  /** Seals browser sessions; they end when it changes. At least 32 bytes. */
  sessionSecret: Uint8Array;
  /** Origins whose pages may call the API with a key; none by default. */
  corsOrigins?: readonly string[];
  maxDocumentBytes: number;
  maxFilesPerUpload?: number;
  /** Of a GraphQL or JSON request. */
  maxJsonBytes?: number;
  /** Of one query; what was not answered by then is a coded error beside the rest. */
  operationTimeoutMs?: number;
  /** The file of the supergraph, read again when it changes; the built-in one unless told. */
  supergraphPath?: string;
  /** How often that file is looked at. */
  supergraphPollMs?: number;
  /** Of a connection to a remote subgraph. */
  subgraphConnectTimeoutMs?: number;
  /** Of one fetch from a remote subgraph; an answer by the language model may take `operationTimeoutMs`. */
  subgraphTimeoutMs?: number;
  /** Of one answer of a remote subgraph. */
  subgraphMaxBytes?: number;
  /**
   * How long a verified key is believed without asking the tenants service: as long may a revoked one still work.
   * 0, the default: it is asked each time, and a revoked key is refused at once.
   */
  keyCacheMs?: number;
  /** How long it is believed while the tenants service can't be asked; only with `keyCacheMs`. */
  keyStaleMs?: number;
  /** In which a request other than an upload must have come in whole. */
  requestTimeoutMs?: number;
  /** What running requests are given when the server closes; streams end at once. */
  closeWithinMs?: number;
}

export const GATEWAY_DEFAULTS = {
  corsOrigins: [] as readonly string[],
  maxFilesPerUpload: 100,
  maxJsonBytes: 8 * 1024 * 1024,
  operationTimeoutMs: 120_000,
  supergraphPollMs: 5_000,
  subgraphConnectTimeoutMs: SUBGRAPH_LIMITS.connectTimeoutMs,
  subgraphTimeoutMs: SUBGRAPH_LIMITS.responseTimeoutMs,
  subgraphMaxBytes: SUBGRAPH_LIMITS.maxResponseBytes,
  keyCacheMs: 0,
  keyStaleMs: 300_000,
  requestTimeoutMs: 30_000,
  closeWithinMs: 5_000,
} satisfies Partial<GatewayConfig>;
