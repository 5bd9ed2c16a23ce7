import { errors, type NatsConnection } from '@nats-io/transport-node';
import { CodedError, type RequestType } from '@postmaster/contracts';
import { inSession, type Nats } from '../connect-nats.js';
import { bounded, type NatsRequestsOptions, Reply, requestHeaders, subjectOfRequest } from './request-wire.js';
import { fromWire } from './wire-error.js';
import { decodeJson } from './wire-json.js';

/** How long a question waits for a connection that is being made again. */
const RECONNECT_MS = 2_000;

/** Throws SERVICE_UNAVAILABLE where there is no connection within what the question may take. */
export const connected = async (nats: Nats, { subject, timeoutMs }: RequestType): Promise<NatsConnection> => {
  const connection = await nats.ready(Math.min(timeoutMs, RECONNECT_MS));
  if (connection) return connection;
  throw new CodedError(
    'SERVICE_UNAVAILABLE',
    `"${subject}" can't be asked: ${nats.failure?.message ?? 'no connection'}`,
  );
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
  const message = await inSession(
    session,
    connection.request(subjectOfRequest(type.subject), body, {
      timeout: type.timeoutMs,
      headers: requestHeaders(token, options),
    }),
  ).catch((error: unknown) => {
    throw session.aborted ? lostOn(type) : codedOf(error, type);
  });
  const reply = Reply.safeParse(decodeJson(message.data));
  if (!reply.success) throw new Error(`The reply to "${type.subject}" has an unknown form.`);
  if ('error' in reply.data) throw fromWire(reply.data.error);
  return reply.data.value;
};

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
