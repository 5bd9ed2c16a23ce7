import { type GraphQLDataSource, type GraphQLDataSourceProcessOptions, RemoteGraphQLDataSource } from '@apollo/gateway';
import { CodedError } from '@postmaster/contracts';
import { execute, type GraphQLSchema, parse } from 'graphql';
import type { Log } from '@postmaster/service';
import type { Call } from './call.js';
import { asGraphQLError } from './shape-error.js';

/** A subgraph in this process. Its context is what the subgraph would make of a request that carries the token. */
export interface LocalSubgraph {
  schema: GraphQLSchema;
  context(call: { token: string; requestId: string; signal: AbortSignal }): Promise<object> | object;
}

export interface RemoteSubgraph {
  url: string;
}

export type Subgraph = LocalSubgraph | RemoteSubgraph;

type Options = GraphQLDataSourceProcessOptions<Call>;

/** Fetches from one subgraph. Whatever goes wrong is a coded error beside the rest of the answer; it never throws. */
export const subgraphSource = (name: string, subgraph: Subgraph | undefined, log: Log): GraphQLDataSource<Call> => {
  if (!subgraph) return { process: async () => failed(unavailable(name)) };
  const source: GraphQLDataSource<Call> = 'schema' in subgraph ? localSource(subgraph) : remoteSource(subgraph);
  return {
    process: async (options: Options) => {
      const call = callOf(options);
      try {
        const result = await inTime(source.process(options), call.signal, name);
        return result.errors
          ? { ...result, errors: result.errors.map((error) => asGraphQLError(error, call, log)) }
          : result;
      } catch (error) {
        return failed(error instanceof CodedError ? error : unavailable(name, error), call, log);
      }
    },
  };

  function failed(error: CodedError, call?: Call, to: Log = log) {
    if (error.cause)
      to.warn({ requestId: call?.requestId, subgraph: name, err: error.cause }, 'a subgraph does not answer');
    return { errors: [asGraphQLError(error)] };
  }
};

const unavailable = (name: string, cause?: unknown): CodedError =>
  new CodedError('SERVICE_UNAVAILABLE', `The service "${name}" does not answer.`, { cause });

const callOf = (options: Options): Call => {
  if (!('incomingRequestContext' in options)) throw new Error('Subgraphs are only asked on behalf of a caller.');
  return options.context;
};

const localSource = ({ schema, context }: LocalSubgraph): GraphQLDataSource<Call> => ({
  process: async (options: Options) => {
    const call = callOf(options);
    const { query = '', variables, operationName } = options.request;
    return execute({
      schema,
      document: ('document' in options && options.document) || parse(query),
      variableValues: variables,
      operationName,
      contextValue: await context({ token: await call.token(), requestId: call.requestId, signal: call.signal }),
    });
  },
});

/** Sends the internal token and the request's id, and nothing of what came from outside. */
const remoteSource = ({ url }: RemoteSubgraph) =>
  new RemoteGraphQLDataSource<Call>({
    url,
    willSendRequest: async (options: Options) => {
      const call = callOf(options);
      options.request.http?.headers.set('authorization', `Bearer ${await call.token()}`);
      options.request.http?.headers.set('x-request-id', call.requestId);
    },
  });

/** The late answer is let go: the caller has what else there was. */
const inTime = async <T>(answer: Promise<T>, signal: AbortSignal, name: string): Promise<T> => {
  let late = () => {};
  const timeUp = new Promise<never>((_, reject) => {
    late = () => reject(new CodedError('TIMED_OUT', `The service "${name}" took longer than allowed.`));
    if (signal.aborted) late();
    else signal.addEventListener('abort', late, { once: true });
  });
  try {
    return await Promise.race([answer, timeUp]);
  } finally {
    signal.removeEventListener('abort', late);
    answer.catch(() => {}); // a late failure has no one left to tell
  }
};
