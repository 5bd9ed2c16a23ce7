import { CODES, CodedError, type ErrorCode } from '@postmaster/contracts';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { Log } from '../log.js';

const isCode = (code: unknown): code is ErrorCode => typeof code === 'string' && Object.hasOwn(CODES, code);

/** What GraphQL itself refuses, by the codes that Apollo gives it. */
const REQUEST_FAULTS = new Set([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'BAD_USER_INPUT',
  'BAD_REQUEST',
  'OPERATION_RESOLUTION_FAILURE',
  'PERSISTED_QUERY_NOT_SUPPORTED',
]);

const MASKED = 'Something unexpected went wrong.';

/** A subgraph's or the gateway's own failure as a GraphQL error; one that was not expected is logged and masked. */
export const asGraphQLError = (error: unknown, call?: { requestId: string }, log?: Log): GraphQLError => {
  const thrown = error instanceof GraphQLError ? (error.originalError ?? error) : error;
  const path = error instanceof GraphQLError ? error.path : undefined;
  if (thrown instanceof CodedError) return new GraphQLError(thrown.message, { path, extensions: extensionsOf(thrown) });
  const { message, extensions } = error as Partial<GraphQLFormattedError>; // a remote subgraph's error is plain JSON
  if (isCode(extensions?.code)) return new GraphQLError(message ?? MASKED, { path, extensions: known(extensions) });
  log?.error({ requestId: call?.requestId, err: thrown }, 'a subgraph failed unexpectedly');
  return new GraphQLError(MASKED, { path, extensions: { code: 'INTERNAL', next: CODES.INTERNAL.next } });
};

const extensionsOf = ({ code, next, field, retryAfter }: CodedError) => ({
  code,
  next,
  ...(field === undefined ? {} : { field }),
  ...(retryAfter === undefined ? {} : { retryAfter }),
});

/** Of an error's extensions, those that clients may rely on: no stack traces, no services' names. */
const known = (extensions: Record<string, unknown>) => ({
  code: extensions.code,
  next: typeof extensions.next === 'string' ? extensions.next : CODES[extensions.code as ErrorCode].next,
  ...(typeof extensions.field === 'string' ? { field: extensions.field } : {}),
  ...(typeof extensions.retryAfter === 'number' ? { retryAfter: extensions.retryAfter } : {}),
});

/** The last shape of an error before it leaves: a code of the closed list, whatever it was before. */
export const shapeError = (formatted: GraphQLFormattedError, requestId?: string): GraphQLFormattedError => {
  const { message, locations, path, extensions = {} } = formatted;
  const id = requestId === undefined ? {} : { requestId };
  const place = { ...(locations ? { locations } : {}), ...(path ? { path } : {}) };
  if (isCode(extensions.code)) return { message, ...place, extensions: { ...known(extensions), ...id } };
  const code = REQUEST_FAULTS.has(String(extensions.code)) ? 'INPUT_INVALID' : 'INTERNAL';
  return {
    message: code === 'INPUT_INVALID' ? message : MASKED,
    ...place,
    extensions: { code, next: CODES[code].next, ...id },
  };
};

/** The coded error that a GraphQL error stands for; REST answers with it. */
export const codedErrorOf = ({ message, extensions = {} }: GraphQLFormattedError): CodedError => {
  const { code, next, field, retryAfter } = isCode(extensions.code) ? known(extensions) : known({ code: 'INTERNAL' });
  return new CodedError(code as ErrorCode, message, { next, field, retryAfter });
};
