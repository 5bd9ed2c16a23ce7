import { ENCODER_VARIABLES, LANGUAGE_MODEL_VARIABLES, RERANKER_VARIABLES } from '@postmaster/models';
import { OCR_VARIABLES } from '@postmaster/parsers';
import { type Config, readConfig } from '@postmaster/service';

const NAMES = [
  'PORT',
  'HOST',
  'POSTMASTER_DATA',
  'LOG_LEVEL',
  'SHUTDOWN_TIMEOUT_MS',
  'POSTMASTER_API_KEY',
  'POSTMASTER_ADMIN_KEY',
  'MAIL_WEBHOOK_SECRET',
  'POSTMASTER_SECRETS_KEY',
  ...LANGUAGE_MODEL_VARIABLES,
  ...ENCODER_VARIABLES,
  ...RERANKER_VARIABLES,
  'MAX_DOCUMENT_BYTES',
  'ALLOWED_PRIVATE_HOSTS',
  'RECONCILE_HOURS',
  'PARSE_TIMEOUT_MS',
  'PARSE_MEMORY_MB',
  ...OCR_VARIABLES,
  'FOLDER_ROOTS',
  'FOLDERS',
  'FOLDER_RESCAN_SECONDS',
] as const;

export type StandaloneConfig = Config<(typeof NAMES)[number]>;

/** From the environment and `.env`. Throws CONFIG_INVALID, naming every wrong variable. */
export const standaloneConfig = (environment?: Record<string, string>): StandaloneConfig =>
  readConfig(NAMES, environment);
