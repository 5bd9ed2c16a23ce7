import { z } from 'zod';

const text = (form: string) => z.string().min(1).describe(form);
const url = (form: string, ...protocols: string[]) =>
  z
    .string()
    .refine((given) => URL.canParse(given) && protocols.includes(new URL(given).protocol))
    .describe(form);
const http = (form: string) => url(form, 'http:', 'https:');
const whole = (form: string, least: number, most: number) =>
  z
    .string()
    .regex(/^\d+$/)
    .transform(Number)
    .pipe(z.number().int().min(least).max(most))
    .describe(`${form}, a whole number from ${least} to ${most}`);

/** Every environment variable, in the form it is read in. An app's configuration is a choice of these. */
export const VARIABLES = {
  // where it runs
  PORT: whole('the port to listen on (0: any free one)', 0, 65535).default(4000),
  HOST: text('the address to listen on').default('127.0.0.1'),
  POSTMASTER_DATA: text('the folder of all data').default('.postmaster'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  SHUTDOWN_TIMEOUT_MS: whole('milliseconds that a graceful stop may take', 100, 600_000).default(20_000),
  // keys
  POSTMASTER_API_KEY: text('the key of the tenant `default`, at least 16 characters').min(16).optional(),
  POSTMASTER_ADMIN_KEY: text("the operator's key, at least 16 characters").min(16).optional(),
  POSTMASTER_IDENTITY_SECRET: text('the secret that services share, at least 32 characters').min(32).optional(),
  // services apart, asked by the gateway; absent: answered for with SERVICE_UNAVAILABLE
  TENANTS_URL: http('the http(s) address of the tenants service').optional(),
  INGESTION_URL: http('the http(s) address of the ingestion service').optional(),
  ENRICHMENT_URL: http('the http(s) address of the enrichment service').optional(),
  EMBEDDING_URL: http('the http(s) address of the embedding service').optional(),
  RETRIEVAL_URL: http('the http(s) address of the retrieval service').optional(),
  // neighbours; absent: the embedded ones
  DATABASE_URL: url('a postgres:// address', 'postgres:', 'postgresql:').optional(),
  DATABASE_POOL_SIZE: whole('connections to Postgres', 1, 500).default(10),
  DATABASE_TIMEOUT_MS: whole('milliseconds that one statement may take', 100, 600_000).default(30_000),
  NATS_URL: url('a nats:// or tls:// address', 'nats:', 'tls:').optional(),
  QDRANT_URL: http('the http(s) address of Qdrant').optional(),
  QDRANT_API_KEY: text('the key of Qdrant').optional(),
  // models; absent: extractive facets and answers, the bundled encoder
  LLM_PROVIDER: z.enum(['openai', 'ollama']).optional(),
  LLM_URL: http('the http(s) address of the language model').optional(),
  LLM_MODEL: text("the language model's name").optional(),
  LLM_API_KEY: text('the key of the language model').optional(),
  LLM_CONCURRENCY: whole('calls to the language model at once', 1, 1000).default(4),
  LLM_TIMEOUT_MS: whole('milliseconds that one call to the language model may take', 1000, 300_000).default(120_000),
  ENCODER_PROVIDER: z.enum(['minilm', 'openai', 'ollama']).optional(),
  ENCODER_URL: http('the http(s) address of the encoder').optional(),
  ENCODER_MODEL: text("the encoder's name").optional(),
  ENCODER_API_KEY: text('the key of the encoder').optional(),
  ENCODER_MAX_TOKENS: whole('tokens that the configured encoder takes at once', 32, 131_072).optional(),
  ENCODER_THREADS: whole('threads of the bundled encoder; as many as there are cores unless set', 1, 256).optional(),
  // limits
  MAX_DOCUMENT_BYTES: whole('the largest document, in bytes', 1, Number.MAX_SAFE_INTEGER).default(100 * 1024 * 1024),
  PARSE_TIMEOUT_MS: whole('milliseconds that reading one document may take', 100, 3_600_000).default(120_000),
  PARSE_MEMORY_MB: whole('megabytes that reading one document may take', 64, 65_536).default(1024),
} as const satisfies Record<string, z.ZodType>;

export type VariableName = keyof typeof VARIABLES;
