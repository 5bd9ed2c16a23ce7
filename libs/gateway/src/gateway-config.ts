export interface GatewayConfig {
  host: string;
  /** 0 for any free one. */
  port: number;
  /** Where browsers reach the server, if not at host and port: "https://search.example.org". */
  publicUrl?: string;
  /** The operator's key. */
  adminKey?: string;
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
}

export const GATEWAY_DEFAULTS = {
  corsOrigins: [] as readonly string[],
  maxFilesPerUpload: 100,
  maxJsonBytes: 8 * 1024 * 1024,
  operationTimeoutMs: 120_000,
} satisfies Partial<GatewayConfig>;
