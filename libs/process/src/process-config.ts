import { CodedError } from '@postmaster/contracts';
import type { Config } from '@postmaster/service';

/** How a process finds NATS. */
const BUS_VARIABLES = ['NATS_URL', 'NATS_USER', 'NATS_PASSWORD', 'NATS_CREDENTIALS', 'NATS_REPLICAS'] as const;

/** What every process reads, a service's and the gateway's. */
export const FRAME_VARIABLES = [
  'PORT',
  'HOST',
  'LOG_LEVEL',
  'SHUTDOWN_TIMEOUT_MS',
  'SHUTDOWN_NOTICE_MS',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'POSTMASTER_IDENTITY_SECRET',
  ...BUS_VARIABLES,
] as const;

/** How a process finds NATS, in values. */
export type BusConfig = Config<(typeof BUS_VARIABLES)[number]>;
export type FrameConfig = Config<(typeof FRAME_VARIABLES)[number]>;

/** What every service's process reads, beside what the service needs. */
export const PROCESS_VARIABLES = [
  ...FRAME_VARIABLES,
  'POSTMASTER_DATA',
  'DATABASE_URL',
  'DATABASE_POOL_SIZE',
  'DATABASE_TIMEOUT_MS',
] as const;

export type ProcessConfig = Config<(typeof PROCESS_VARIABLES)[number]>;

/** What identities are sealed with: processes apart have to share it. Throws CONFIG_INVALID where it is not set. */
export const secretOf = ({
  POSTMASTER_IDENTITY_SECRET: secret,
}: Pick<FrameConfig, 'POSTMASTER_IDENTITY_SECRET'>): Uint8Array => {
  if (secret) return new TextEncoder().encode(secret);
  throw new CodedError(
    'CONFIG_INVALID',
    'POSTMASTER_IDENTITY_SECRET is not set; it should be the secret that services share, at least 32 characters (default none).',
  );
};
