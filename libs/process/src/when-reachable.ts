import { CodedError } from '@postmaster/contracts';
import { isUnreachable } from '@postmaster/durable';
import type { Log } from '@postmaster/service';

export interface WaitOptions {
  check: () => Promise<unknown>;
  /** Host and port: what is said of the address. */
  place: string;
  log: Log;
  isClosed: () => boolean;
}

const AGAIN_MS = { first: 250, most: 3_000 };
/** Of Postgres: a login that is refused, and a database that is not there. */
const REFUSED = /^(28...|3D000)$/;

/** Checks again, for ever, while the database does not answer; says so once. Throws what another try does not change. */
export const whenReachable = async ({ check, place, log, isClosed }: WaitOptions): Promise<void> => {
  for (let tries = 0; ; tries++)
    try {
      await check();
      if (tries > 0) log.info(`Postgres at ${place} answers.`);
      return;
    } catch (error) {
      if (isRefusal(error)) throw refused(place, error);
      if (isClosed() || !isUnreachable(error)) throw error;
      if (tries === 0)
        log.warn({ err: error }, `Postgres at ${place} does not answer. It is looked for until it does.`);
      await new Promise((resolve) => setTimeout(resolve, Math.min(AGAIN_MS.most, AGAIN_MS.first * 2 ** tries)));
    }
};

/** Without what an address holds of credentials. */
export const placeOf = (url: string): string => new URL(url).host;

const isRefusal = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && REFUSED.test(error.code);

const refused = (place: string, cause: unknown): CodedError =>
  new CodedError('CONFIG_INVALID', `Postgres at ${place} refuses: ${(cause as Error).message}.`, {
    next: 'Check DATABASE_URL: login, password and database.',
    cause,
  });
