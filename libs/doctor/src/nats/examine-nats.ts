import { connectNats, type Nats, type NatsCredentials } from '@postmaster/bus';
import { CodedError } from '@postmaster/contracts';
import type { Config } from '@postmaster/service';
import type { NatsConnection } from '@nats-io/transport-node';
import { check } from '../check.js';
import { closeSoon } from '../close-soon.js';
import { fail, type Finding, isBad, ok, skipped, type Verdict, warn } from '../finding.js';
import { isAtLeast, size } from '../figures.js';
import { notSet, type Patient } from '../patient.js';
import { consumersVerdict } from './consumers.js';
import { storageVerdict, streamsVerdict } from './streams.js';

type NatsConfig = Pick<Config, 'NATS_URL' | 'NATS_USER' | 'NATS_PASSWORD' | 'NATS_CREDENTIALS'>;

/** Batches of work end at 128 KB, and so do the chunks of a blob; answers and single events may take all of 1 MB. */
const LEAST_PAYLOAD = 256 * 1024;
const USUAL_PAYLOAD = 1_000_000;

/** NATS: reached, admitted, JetStream, both streams, each consumer. */
export const examineNats = async (patient: Patient): Promise<Finding[]> => {
  const { config, limitMs } = patient;
  if (!config.NATS_URL) return [await check('nats', limitMs, () => skipped(notSet(patient, 'NATS_URL')))];
  let nats: Nats | undefined;
  let connection: NatsConnection | undefined;
  try {
    const reached = await check(
      'nats',
      limitMs + 1_000,
      async (signal) => {
        nats = await connectToNats(config, signal);
        connection = await connectionOf(nats);
        return serverVerdict(connection);
      },
      'NATS',
    );
    const stands = connection;
    if (isBad(reached) || !stands) return [reached];
    return [
      reached,
      ...(await Promise.all([
        check('nats storage', limitMs, () => storageVerdict(stands)),
        check('nats streams', limitMs, () => streamsVerdict(stands, config.NATS_REPLICAS)),
        check('nats consumers', limitMs, () => consumersVerdict(stands, patient.now)),
      ])),
    ];
  } finally {
    await closeSoon(nats?.drain());
  }
};

/** Whoever asked may have stopped waiting; then nobody else would end it. */
export const connectToNats = async (config: NatsConfig, signal: AbortSignal): Promise<Nats> => {
  const options = { url: config.NATS_URL ?? '', name: 'postmaster-doctor', credentials: credentialsOf(config) };
  const nats = await connectNats(options);
  if (signal.aborted) nats.drain().catch(() => undefined);
  signal.throwIfAborted();
  return nats;
};

/** Throws SERVICE_UNAVAILABLE where the first try did not succeed: who is examined is not waited for. */
export const connectionOf = async (nats: Nats): Promise<NatsConnection> => {
  const connection = await nats.ready(0);
  if (connection) return connection;
  const { message, next } = nats.failure ?? { message: 'NATS does not answer.' };
  throw new CodedError('SERVICE_UNAVAILABLE', message, { next });
};

const credentialsOf = (config: NatsConfig): NatsCredentials | undefined => {
  if (config.NATS_CREDENTIALS) return { credsFile: config.NATS_CREDENTIALS };
  const { NATS_USER: user, NATS_PASSWORD: password } = config;
  return user && password ? { user, password } : undefined;
};

const serverVerdict = async (connection: NatsConnection): Promise<Verdict> => {
  const { version = '', jetstream, max_payload: payload = 0 } = connection.info ?? {};
  const ms = await connection.rtt();
  const said = `NATS ${version} at ${connection.getServer()} accepts the login, in ${ms} ms; it takes messages of up to ${size(payload)}.`;
  if (!isAtLeast(version, 2, 9)) return fail(`${said} 2.9 or later is needed.`, 'Bring NATS up to date.');
  if (!jetstream)
    return fail(
      `${said} JetStream is off.`,
      'Start nats-server with JetStream: a `jetstream` block in its configuration, or -js.',
    );
  if (payload < LEAST_PAYLOAD)
    return fail(
      `${said} Batches of work and chunks of blobs need ${size(LEAST_PAYLOAD)}.`,
      'Set max_payload to 1MB in NATS.',
    );
  return payload < USUAL_PAYLOAD
    ? warn(`${said} Long documents’ events may be larger.`, 'Set max_payload to 1MB in NATS.')
    : ok(said);
};
