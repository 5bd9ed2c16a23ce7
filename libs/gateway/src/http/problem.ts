import { CODES, CodedError } from '@postmaster/contracts';
import type { Log } from '@postmaster/service';
import type { Answer } from './locals.js';

/** An RFC 9457 problem. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  next: string;
  requestId: string;
  field?: string;
}

export const problemOf = (error: CodedError, requestId: string): Problem => ({
  type: `urn:postmaster:problem:${error.code}`,
  title: CODES[error.code].meaning,
  status: error.status,
  detail: error.message,
  code: error.code,
  next: error.next,
  requestId,
  ...(error.field === undefined ? {} : { field: error.field }),
});

/** What is not a coded error has one already where the framework or the body's parser speaks; the rest is masked. */
export const codedOf = (error: unknown): CodedError => {
  if (error instanceof CodedError) return error;
  const status = statusOf(error);
  if (status === 404)
    return new CodedError('NOT_FOUND', 'There is nothing at this address.', {
      next: 'See /api/v1/docs for the addresses.',
    });
  if (status === 413) return new CodedError('TOO_LARGE', 'The request is larger than the limit.');
  if (status !== undefined && status >= 400 && status < 500)
    return new CodedError('INPUT_INVALID', error instanceof Error ? error.message : 'The request can not be read.');
  return new CodedError('INTERNAL', 'Something unexpected went wrong.', { cause: error });
};

const statusOf = (error: unknown): number | undefined => {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('status' in error && typeof error.status === 'number') return error.status; // body-parser's
  if ('getStatus' in error && typeof error.getStatus === 'function') return Number(error.getStatus()); // Nest's
  return undefined;
};

export const sendProblem = (res: Answer, thrown: unknown, log: Log): void => {
  const { requestId } = res.locals;
  const error = codedOf(thrown);
  if (error.code === 'INTERNAL') log.error({ requestId, err: error.cause ?? error }, 'a request failed unexpectedly');
  if (res.headersSent) return void res.destroy(); // half an answer must not look whole
  if (error.retryAfter !== undefined) res.setHeader('retry-after', String(Math.ceil(error.retryAfter)));
  if (error.status === 401) res.setHeader('www-authenticate', 'Bearer');
  res
    .status(error.status)
    .type('application/problem+json')
    .send(JSON.stringify(problemOf(error, requestId)));
};
