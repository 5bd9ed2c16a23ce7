import { type ArgumentsHost, Catch } from '@nestjs/common';
import type { GqlExceptionFilter } from '@nestjs/graphql';
import { CODES, CodedError, type ErrorCode } from '@postmaster/contracts';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { Log } from './log.js';
import type { SubgraphContext } from './subgraph-context.js';

const MASKED = 'Something unexpected went wrong.';

const isCode = (code: unknown): code is ErrorCode => typeof code === 'string' && Object.hasOwn(CODES, code);

/** A failure as GraphQL tells it; `originalError` keeps an expected one whole for a gateway in the same process. */
export const graphqlErrorOf = (error: CodedError, requestId?: string): GraphQLError => {
  const { code, next, field, retryAfter } = error;
  return new GraphQLError(error.message, {
    originalError: error,
    extensions: { code, next, ...given({ field, retryAfter, requestId }) },
  });
};

const given = (facts: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));

/** What a resolver throws: an expected failure with its code, anything else in the log and masked. */
export const tellError = (error: unknown, requestId: string | undefined, log: Log): GraphQLError => {
  if (error instanceof CodedError) return graphqlErrorOf(error, requestId);
  if (error instanceof GraphQLError && isCode(error.extensions.code)) return error;
  log.error({ requestId, err: error }, 'a resolver failed unexpectedly');
  return graphqlErrorOf(new CodedError('INTERNAL', MASKED), requestId);
};

/** The context is the third argument of a field's resolver and the second of a reference's. */
const isContext = (argument: unknown): argument is SubgraphContext =>
  typeof argument === 'object' && argument !== null && 'requestId' in argument && 'signal' in argument;

/** Stands around every resolver. The error is returned, which GraphQL takes as thrown, so that Nest doesn't log it as a surprise. */
@Catch()
export class TellErrors implements GqlExceptionFilter<unknown, GraphQLError> {
  constructor(private readonly log: Log) {}

  catch(error: unknown, host: ArgumentsHost): GraphQLError {
    return tellError(error, host.getArgs<unknown[]>().find(isContext)?.requestId, this.log);
  }
}

/** What GraphQL itself refuses, by the codes that Apollo gives it. */
const REQUEST_FAULTS = new Set([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'BAD_USER_INPUT',
  'BAD_REQUEST',
  'OPERATION_RESOLUTION_FAILURE',
]);

/** The last shape of an error over HTTP: known codes and their facts only, no stack traces. */
export const formatError = ({
  message,
  locations,
  path,
  extensions = {},
}: GraphQLFormattedError): GraphQLFormattedError => {
  const place = { ...(locations && { locations }), ...(path && { path }) };
  const { code, next, field, retryAfter, requestId } = extensions;
  if (isCode(code)) return { message, ...place, extensions: given({ code, next, field, retryAfter, requestId }) };
  const known = REQUEST_FAULTS.has(String(code)) ? 'INPUT_INVALID' : 'INTERNAL';
  return {
    message: known === 'INTERNAL' ? MASKED : message,
    ...place,
    extensions: { code: known, next: CODES[known].next },
  };
};
