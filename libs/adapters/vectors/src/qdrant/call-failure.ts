import { CodedError } from '@postmaster/contracts';

/** The server refused a call for what it was, and would do so again. */
export class RefusedCall extends Error {
  override readonly name: string = 'RefusedCall';

  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** There is no such collection: never made, or dropped. */
export const isMissing = (error: unknown): boolean => error instanceof RefusedCall && error.status === 404;

/** Another call may do: the store was out of reach or busy. */
export const mayPass = (error: unknown): boolean => error instanceof CodedError && error.code === 'STORE_UNREACHABLE';

const PASSING = new Set([408, 425, 429]);

/** What the client threw, as what it means here; a surprise comes back as it is. No key is in any message. */
export const callFailure = (host: string, timeoutMs: number, error: unknown): unknown => {
  if (!isRecord(error)) return error;
  const { status } = error;
  if (typeof status === 'number') return answered(host, status, error.data);
  if ('retry_after' in error) return unreachable(host, 'is busy', Number(error.retry_after) || undefined);
  if (error.name === 'AbortError' || error.name === 'QdrantClientTimeoutError')
    return unreachable(host, `did not answer within ${timeoutMs / 1000} s`);
  if (error.name === 'TypeError' && 'cause' in error)
    return unreachable(host, `can’t be reached${reasonOf(error.cause)}`);
  if (error.message === NO_RESULT || error.name === 'QdrantClientUnexpectedResponseError')
    return new CodedError('STORE_REFUSED', `What answers at ${host} is not Qdrant.`);
  return error;
};

/** What the client says of an answer without a result: a web page, mostly. */
const NO_RESULT = 'Result came uninitialized';

const answered = (host: string, status: number, data: unknown): Error => {
  if (status === 401 || status === 403)
    return new CodedError('STORE_REFUSED', `The vector store at ${host} refuses the key (status ${status}).`);
  if (PASSING.has(status) || status >= 500) return unreachable(host, `answers with status ${status}${saidIn(data)}`);
  return new RefusedCall(status, `The vector store at ${host} refused a call with status ${status}${saidIn(data)}.`);
};

const unreachable = (host: string, why: string, retryAfter?: number): CodedError =>
  new CodedError('STORE_UNREACHABLE', `The vector store at ${host} ${why}.`, { retryAfter });

/** The server's own words, short. */
const saidIn = (data: unknown): string => {
  const said = isRecord(data) && isRecord(data.status) ? data.status.error : undefined;
  return typeof said === 'string' ? ` (${said.slice(0, 200)})` : '';
};

const reasonOf = (cause: unknown): string =>
  isRecord(cause) && typeof cause.code === 'string' ? ` (${cause.code})` : '';

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
