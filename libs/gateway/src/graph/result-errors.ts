import type { Log } from '@postmaster/service';
import { type ExecutionResult, GraphQLError, type GraphQLFormattedError, type GraphQLSchema } from 'graphql';
import { withKnownFields } from './known-fields.js';
import { asGraphQLError, shapeError } from './shape-error.js';

/** A result whose errors are as they leave. */
export const withLastShape = (result: ExecutionResult, requestId: string): ExecutionResult =>
  result.errors
    ? { ...result, errors: outward(result.errors.map((error) => shapeError(error.toJSON(), requestId))) }
    : result;

/** A failure before there was a result. Faults of the operation are the caller's; of a surprise only the code is told. */
export const resultOfFailure = (
  error: unknown,
  requestId: string,
  log: Log,
  schema: GraphQLSchema,
): ExecutionResult => {
  const plain = !(error instanceof GraphQLError) ? asGraphQLError(error, { requestId }, log) : error;
  const { message, locations, extensions = {} } = withKnownFields(schema, plain);
  const code = extensions.code ?? 'GRAPHQL_VALIDATION_FAILED';
  return { errors: outward([shapeError({ message, locations, extensions: { ...extensions, code } }, requestId)]) };
};

/** Formatted errors differ from GraphQLErrors in type only: both are written as JSON. */
const outward = (errors: GraphQLFormattedError[]) => errors as unknown as NonNullable<ExecutionResult['errors']>;
