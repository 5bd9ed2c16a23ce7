import { type Config, readConfig } from '@postmaster/service';

const NAMES = [
  'PORT',
  'HOST',
  'POSTMASTER_DATA',
  'LOG_LEVEL',
  'SHUTDOWN_TIMEOUT_MS',
  'POSTMASTER_API_KEY',
  'POSTMASTER_ADMIN_KEY',
  'LLM_PROVIDER',
  'LLM_URL',
  'LLM_MODEL',
  'LLM_API_KEY',
  'LLM_CONCURRENCY',
  'LLM_TIMEOUT_MS',
  'ENCODER_PROVIDER',
  'ENCODER_URL',
  'ENCODER_MODEL',
  'ENCODER_API_KEY',
  'ENCODER_MAX_TOKENS',
  'ENCODER_THREADS',
  'MAX_DOCUMENT_BYTES',
  'RECONCILE_HOURS',
  'PARSE_TIMEOUT_MS',
  'PARSE_MEMORY_MB',
] as const;

export type StandaloneConfig = Config<(typeof NAMES)[number]>;

/** From the environment and `.env`. Throws CONFIG_INVALID, naming every wrong variable. */
export const standaloneConfig = (environment?: Record<string, string>): StandaloneConfig =>
  readConfig(NAMES, environment);
