import type { Nats } from '@postmaster/bus';
import { CodedError, failureOf } from '@postmaster/contracts';
import type { Log } from '@postmaster/service';

/** A start is not held up longer than this by a neighbour that takes connections and says nothing. */
const WITHIN_MS = 5_000;

/**
 * Tries a neighbour once at the start. One that does not answer is told, and work goes on when it is back; what another
 * try would not change (a refused key, a wrong address) is thrown.
 */
export const checkNeighbour = async (name: string, check: () => Promise<void>, log: Log): Promise<void> => {
  try {
    await within(WITHIN_MS, check());
  } catch (error) {
    if (!(error instanceof CodedError) || error.status !== 503) throw error;
    const { code, message, next } = failureOf(error);
    log.warn({ code, next }, `${name}: ${message}`);
  }
};

const within = async (ms: number, work: Promise<void>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new CodedError('SERVICE_UNAVAILABLE', `No answer within ${ms / 1000} s.`)), ms);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
};

/** The process's connection for whoever needs it later. Throws SERVICE_UNAVAILABLE where there is none for 5 s. */
export const connectionOf = (nats: Nats) => async () => {
  const connection = await nats.ready(WITHIN_MS);
  if (connection) return connection;
  throw new CodedError('SERVICE_UNAVAILABLE', nats.failure?.message ?? 'NATS does not answer.');
};
