import { ModelChoice } from '@postmaster/contracts';
import { z } from 'zod';

const text = (form: string) => z.string().min(1).describe(form);
const url = (form: string, ...protocols: string[]) =>
  z
    .string()
    .refine((given) => URL.canParse(given) && protocols.includes(new URL(given).protocol))
    .describe(form);
const http = (form: string) => url(form, 'http:', 'https:');
/** Several addresses with commas between them. */
const urls = (form: string, ...protocols: string[]) =>
  text(form).refine((given) => given.split(',').every((one) => url(form, ...protocols).safeParse(one).success));
const flag = () =>
  z
    .enum(['true', 'false'])
    .transform((given) => given === 'true')
    .describe('true or false');
const whole = (form: string, least: number, most: number) =>
  z
    .string()
    .regex(/^\d+$/)
    .transform(Number)
    .pipe(z.number().int().min(least).max(most))
    .describe(`${form}, a whole number from ${least} to ${most}`);

/** What each of them is, is for the service that reads them. */
/** JSON of a shape. What is wrong in it is not repeated: it may hold a key. */
const json = <S extends z.ZodType>(form: string, shape: S) =>
  z
    .string()
    .transform((given, context): z.output<S> => {
      try {
        return shape.parse(JSON.parse(given));
      } catch {
        context.addIssue('no such list');
        return z.NEVER;
      }
    })
    .describe(form);

const Folders = z.array(z.looseObject({ path: z.string(), tenant: z.string().default('default') }));
const Tokens = z.number().nonnegative();
const PriceList = z.strictObject({
  currency: z.string().regex(/^[A-Z]{3}$/),
  models: z.record(z.string(), z.strictObject({ input: Tokens, output: Tokens, cached: Tokens.optional() })),
});

/** Every environment variable, in the form it is read in. An app's configuration is a choice of these. */
export const VARIABLES = {
  // where it runs
  PORT: whole('the port to listen on (0: any free one)', 0, 65535).default(4000),
  HOST: text('the address to listen on').default('127.0.0.1'),
  POSTMASTER_DATA: text('the folder of all data').default('.postmaster'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  SHUTDOWN_TIMEOUT_MS: whole('milliseconds that a graceful stop may take', 100, 600_000).default(20_000),
  SHUTDOWN_NOTICE_MS: whole(
    'milliseconds between readiness off and closing, for load balancers to notice',
    0,
    120_000,
  ).default(0),
  SUPERGRAPH_PATH: text('the file of the supergraph, read again when it changes').optional(),
  RECONCILE_HOURS: whole('hours between two comparisons of rows and vectors; 0: only when asked for', 0, 8760).default(
    24,
  ),
  EMBEDDING_ROLE: z.enum(['query', 'bulk', 'all']).default('all'),
  OTEL_EXPORTER_OTLP_ENDPOINT: http('the http(s) address of an OpenTelemetry collector, without /v1/traces').optional(),
  // keys
  POSTMASTER_API_KEY: text('the key of the tenant `default`, at least 16 characters').min(16).optional(),
  POSTMASTER_ADMIN_KEY: text("the operator's key, at least 16 characters").min(16).optional(),
  MAIL_WEBHOOK_SECRET: text('the secret that mails which come in are signed with, at least 16 characters')
    .min(16)
    .optional(),
  POSTMASTER_IDENTITY_SECRET: text('the secret that services share, at least 32 characters').min(32).optional(),
  POSTMASTER_SECRETS_KEY: z
    .string()
    .transform((given) => given.split(',').map((one) => one.trim()))
    .refine((all) => all.every((one) => one.length >= 32))
    .describe('what secrets of tenants are sealed with, at least 32 characters; former ones after it, commas between')
    .optional(),
  // services apart, asked by the gateway; absent: answered for with SERVICE_UNAVAILABLE
  TENANTS_URL: http('the http(s) address of the tenants service').optional(),
  INGESTION_URL: http('the http(s) address of the ingestion service').optional(),
  ENRICHMENT_URL: http('the http(s) address of the enrichment service').optional(),
  EMBEDDING_URL: http('the http(s) address of the embedding service').optional(),
  RETRIEVAL_URL: http('the http(s) address of the retrieval service').optional(),
  SUBGRAPH_CONNECT_TIMEOUT_MS: whole('milliseconds that a connection to a service may take', 10, 60_000).default(2_000),
  SUBGRAPH_TIMEOUT_MS: whole('milliseconds that one call of a service may take', 100, 600_000).default(30_000),
  KEY_CACHE_MS: whole('milliseconds that a verified key is believed; a revoked one still works', 0, 600_000).default(
    30_000,
  ),
  KEY_STALE_MS: whole(
    'milliseconds that a verified key is believed while the tenants service is out',
    0,
    3_600_000,
  ).default(300_000),
  // neighbours; absent: the embedded ones
  DATABASE_URL: url('a postgres:// address', 'postgres:', 'postgresql:').optional(),
  DATABASE_POOL_SIZE: whole('connections to Postgres', 1, 500).default(10),
  DATABASE_TIMEOUT_MS: whole('milliseconds that one statement may take', 100, 600_000).default(30_000),
  MIGRATE_DATABASE_URL: url(
    'the postgres:// address that migrations use, of a user that may make tables and roles',
    'postgres:',
    'postgresql:',
  ).optional(),
  MIGRATE_GRANT_TO: text('the logins of services at Postgres, a comma between them').optional(),
  NATS_URL: urls('nats:// or tls:// addresses, a comma between them', 'nats:', 'tls:').optional(),
  NATS_USER: text('the user at NATS').optional(),
  NATS_PASSWORD: text('the password at NATS').optional(),
  NATS_CREDENTIALS: text('the path of a .creds file for NATS').optional(),
  NATS_REPLICAS: whole('copies of each stream and bucket in NATS', 1, 5).default(1),
  QDRANT_URL: http('the http(s) address of Qdrant').optional(),
  QDRANT_API_KEY: text('the key of Qdrant').optional(),
  QDRANT_SHARDS: whole('shards of a new collection; one a node unless set', 1, 1000).optional(),
  QDRANT_REPLICATION: whole('copies of each shard of a new collection', 1, 20).default(1),
  QDRANT_WRITE_CONSISTENCY: whole('copies that a write waits for', 1, 20).default(1),
  QDRANT_QUANTIZATION: z.enum(['none', 'scalar', 'binary']).default('none'),
  QDRANT_ON_DISK: flag().default(false),
  QDRANT_HNSW_M: whole("links of a point in Qdrant's graph", 4, 256).default(16),
  QDRANT_HNSW_EF_CONSTRUCT: whole("neighbours looked at while Qdrant's graph is built", 4, 4096).default(100),
  QDRANT_TIMEOUT_MS: whole('milliseconds that one call to Qdrant may take', 100, 600_000).default(10_000),
  // blobs; absent: the embedded folder
  BLOBS_URL: url('a file:, nats: or s3: address of the blobs', 'file:', 'nats:', 's3:').optional(),
  S3_ENDPOINT: http("the http(s) address of an S3-compatible store; Amazon's unless set").optional(),
  S3_REGION: text('the region of the S3 store').default('us-east-1'),
  S3_ACCESS_KEY_ID: text('the id of the access key of S3').optional(),
  S3_SECRET_ACCESS_KEY: text('the secret of the access key of S3').optional(),
  S3_FORCE_PATH_STYLE: flag().default(false),
  // folders of this machine that tenants may have read; absent: none
  FOLDER_ROOTS: text('absolute folders, a comma between them; tenant=folder is for one tenant').optional(),
  FOLDERS: json(
    'a JSON list of folders to be read, as [{"path": "/srv/docs", "watch": true, "mode": "reference"}]',
    Folders,
  ).optional(),
  FOLDER_RESCAN_SECONDS: whole('seconds between two looks at a watched folder that seems quiet', 1, 86_400).default(
    300,
  ),
  // models; absent: extractive facets and answers, the bundled encoder
  LLM_PROVIDER: z.enum(['openai', 'ollama', 'anthropic', 'google']).optional(),
  LLM_URL: http('the http(s) address of the language model').optional(),
  LLM_MODEL: text("the language model's name").optional(),
  LLM_API_KEY: text('the key of the language model').optional(),
  LLM_CONCURRENCY: whole('the most calls to the language model at once', 1, 1000).default(32),
  LLM_TIMEOUT_MS: whole('milliseconds that one call to the language model may take', 1000, 3_600_000).default(300_000),
  LLM_WINDOW_TOKENS: whole(
    'tokens that the language model takes, its reply included; what is known of it unless set',
    1_024,
    10_000_000,
  ).optional(),
  LLM_PARAGRAPHS_PER_CALL: whole('paragraphs of a document that one call makes facets of', 1, 8).default(1),
  LLM_ENTITIES: z.enum(['rules', 'model'], { error: 'should be rules or model' }).default('rules'),
  LLM_FALLBACK: json(
    'a JSON list of models to ask where the first one fails, as [{"model": "anthropic:claude-haiku-4-5", "apiKey": "…"}]',
    z.array(ModelChoice).min(1),
  ).optional(),
  LLM_PRICES: json(
    'prices for a million tokens in JSON, as {"currency": "USD", "models": {"openai:gpt-4o-mini": {"input": 0.15, "output": 0.6, "cached": 0.075}}}',
    PriceList,
  ).optional(),
  ENCODER_PROVIDER: z.enum(['minilm', 'openai', 'ollama', 'onnx']).optional(),
  ENCODER_URL: http('the http(s) address of the encoder').optional(),
  ENCODER_FOLDER: text('the folder of an encoder in ONNX').optional(),
  ENCODER_MODEL: text("the encoder's name").optional(),
  ENCODER_API_KEY: text('the key of the encoder').optional(),
  ENCODER_MAX_TOKENS: whole('tokens that the configured encoder takes at once', 32, 131_072).optional(),
  ENCODER_THREADS: whole(
    'threads of an encoder in this process; as many as there are cores unless set',
    1,
    256,
  ).optional(),
  // rerankers; absent: none, but for the language model as a judge where a query asks for it. Their time stays below the
  // 30 s that the gateway waits for a service.
  RERANKER_PROVIDER: z.enum(['cohere', 'jina', 'tei', 'onnx']).optional(),
  RERANKER_URL: http('the http(s) address of the reranker').optional(),
  RERANKER_FOLDER: text('the folder of a cross-encoder in ONNX').optional(),
  RERANKER_MODEL: text("the reranker's name").optional(),
  RERANKER_API_KEY: text('the key of the reranker').optional(),
  RERANKER_MAX_TOKENS: whole('tokens that the reranker takes of question and text together', 64, 131_072).optional(),
  RERANKER_THREADS: whole('threads of a cross-encoder in this process', 1, 256).optional(),
  RERANKER_TIMEOUT_MS: whole('milliseconds that reranking one search may take', 50, 25_000).default(3_000),
  JUDGE_TIMEOUT_MS: whole('milliseconds that the language model may take to judge one search', 100, 25_000).default(
    20_000,
  ),
  // addresses that tenants give
  ALLOWED_PRIVATE_HOSTS: z
    .string()
    .transform((given) => given.split(',').map((host) => host.trim().toLowerCase()))
    .describe('hosts in private networks that tenants may name in addresses, a comma between them')
    .optional(),
  // limits
  MAX_DOCUMENT_BYTES: whole('the largest document, in bytes', 1, Number.MAX_SAFE_INTEGER).default(100 * 1024 * 1024),
  PARSE_TIMEOUT_MS: whole('milliseconds that reading one document may take', 100, 3_600_000).default(120_000),
  PARSE_MEMORY_MB: whole('megabytes that reading one document may take', 64, 65_536).default(1024),
  // text recognition (OCR) of scans and pictures
  OCR: z.enum(['on', 'off']).default('on'),
  OCR_LANGUAGES: text("codes of Tesseract's languages, the likeliest first, as dan+eng")
    .regex(/^[a-z]{3}(_[a-z]+)*(\+[a-z]{3}(_[a-z]+)*)*$/)
    .default('dan+eng'),
  OCR_MAX_PAGES: whole('pages of one document that text is recognised on', 1, 10_000).default(100),
  // what `postmaster doctor` reckons with; absent: those of k8s/overlays/production
  POSTMASTER_REPLICAS: text('the most replicas of services, as tenants=2,ingestion=6').optional(),
  POSTMASTER_POOLS: text('connections of each replica to Postgres, as tenants=5,ingestion=10').optional(),
} as const satisfies Record<string, z.ZodType>;

export type VariableName = keyof typeof VARIABLES;
