import { CODES, CodedError, type ErrorCode } from '@postmaster/contracts';
import { formatError, graphqlErrorOf, type Log } from '@postmaster/service';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';

/** What graphql-js says of values that a subgraph's scalars refuse; the gateway lets every value of a scalar pass. */
export const VALUE_REFUSED = /^(Variable|Argument) "/;

/** A code of the closed list, and a next step even where a service gave none. */
const withNext = (error: GraphQLFormattedError) => {
  const { extensions = {}, ...rest } = formatError(error);
  const code = extensions.code as ErrorCode; // formatError lets no other code through
  return { ...rest, extensions: { ...extensions, code, next: String(extensions.next ?? CODES[code].next) } };
};

/** A failure on its way to the caller as a GraphQL error with a code; one that was not expected is logged and masked. */
export const asGraphQLError = (error: unknown, call?: { requestId: string }, log?: Log): GraphQLError => {
  const thrown = error instanceof GraphQLError ? (error.originalError ?? error) : error;
  // a remote subgraph's error is plain JSON
  const given = error as Partial<GraphQLFormattedError>;
  const path = error instanceof CodedError ? undefined : given.path;
  const told = thrown instanceof CodedError ? graphqlErrorOf(thrown) : given;
  const code = told.extensions?.code ?? (VALUE_REFUSED.test(told.message ?? '') ? 'BAD_USER_INPUT' : undefined);
  const { message, extensions } = withNext({
    message: told.message ?? '',
    extensions: { ...told.extensions, code },
  });
  if (extensions.code === 'INTERNAL' && code !== 'INTERNAL')
    log?.error({ requestId: call?.requestId, err: thrown }, 'a subgraph failed unexpectedly');
  return new GraphQLError(message, { path, extensions });
};

/** The last shape of an error before it leaves: a code of the closed list, whatever it was before, and the request's id. */
export const shapeError = (error: GraphQLFormattedError, requestId?: string): GraphQLFormattedError => {
  const shaped = withNext(error);
  return requestId === undefined ? shaped : { ...shaped, extensions: { ...shaped.extensions, requestId } };
};

/** The coded error that a GraphQL error stands for; REST answers with it. */
export const codedErrorOf = (error: GraphQLFormattedError): CodedError => {
  const { message, extensions } = withNext(error);
  const { code, next, field, retryAfter } = extensions as typeof extensions & { field?: string; retryAfter?: number };
  return new CodedError(code, message, { next, field, retryAfter });
};
