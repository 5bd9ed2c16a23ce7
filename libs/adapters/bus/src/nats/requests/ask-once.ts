import { errors, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { CodedError, type RequestType } from '@postmaster/contracts';
import type { Nats } from '../connect-nats.js';
import { bounded, type NatsRequestsOptions, Reply, requestHeaders, subjectOfRequest } from './request-wire.js';
import { fromWire } from './wire-error.js';
import { decodeJson } from './wire-json.js';

/** How long a question waits for a connection that is being made again. */
const RECONNECT_MS = 2_000;

/** Throws SERVICE_UNAVAILABLE where there is no connection within what the question may take. */
export const connected = async (nats: Nats, { subject, timeoutMs }: RequestType): Promise<NatsConnection> => {
  const connection = await nats.ready(Math.min(timeoutMs, RECONNECT_MS));
  if (connection) return connection;
  throw new CodedError('SERVICE_UNAVAILABLE', `"${subject}" can't be asked: ${nats.failure?.message ?? 'no connection'}`);
};

/** Asks, and gives what was answered. The reply is not yet parsed by the type's schema. */
export const askOnce = async (
  options: NatsRequestsOptions,
  type: RequestType,
  token: string,
  input: unknown,
): Promise<unknown> => {
  const connection = await connected(options.nats, type);
  const body = bounded(input, `The question "${type.subject}"`, connection.info?.max_payload);
  const { session } = options.nats;
  const message = await whileIn(
    session,
    connection.request(subjectOfRequest(type.subject), body, {
      timeout: type.timeoutMs,
      headers: requestHeaders(token, options),
    }),
    type,
  ).catch((error: unknown) => {
    throw codedOf(error, type);
  });
  const reply = Reply.safeParse(decodeJson(message.data));
  if (!reply.success) throw new Error(`The reply to "${type.subject}" has an unknown form.`);
  if ('error' in reply.data) throw fromWire(reply.data.error);
  return reply.data.value;
};

/** An answer that is under way when the connection breaks does not come any more. */
const whileIn = (session: AbortSignal, answer: Promise<Msg>, type: RequestType): Promise<Msg> =>
  new Promise((resolve, reject) => {
    const lose = (): void => reject(lostOn(type));
    if (session.aborted) lose();
    session.addEventListener('abort', lose, { once: true });
    answer.then(resolve, reject).finally(() => session.removeEventListener('abort', lose));
  });

export const lostOn = ({ subject }: RequestType): CodedError =>
  new CodedError('SERVICE_UNAVAILABLE', `The connection to NATS was lost before "${subject}" was answered.`);

export const codedOf = (error: unknown, { subject, timeoutMs }: RequestType): unknown => {
  if (error instanceof errors.TimeoutError)
    return new CodedError('TIMED_OUT', `"${subject}" did not answer within ${timeoutMs} ms.`);
  if (isNoResponders(error)) return absent(subject);
  if (error instanceof errors.ClosedConnectionError || error instanceof errors.DrainingConnectionError)
    return new CodedError('SERVICE_UNAVAILABLE', `"${subject}" can't be asked any more: this process is stopping.`);
  return error;
};

export const absent = (subject: string): CodedError =>
  new CodedError(
    'SERVICE_UNAVAILABLE',
    `Nobody answers "${subject}"; the ${subject.split('.')[0] ?? ''} service is not there.`,
  );

const isNoResponders = (error: unknown): boolean =>
  error instanceof errors.NoRespondersError || (error instanceof errors.RequestError && error.isNoResponders());
