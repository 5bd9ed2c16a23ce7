import type { GraphQLDataSource, GraphQLDataSourceProcessOptions } from '@apollo/gateway';
import { CodedError } from '@postmaster/contracts';
import { execute, GraphQLError, type GraphQLSchema, parse } from 'graphql';
import type { Log } from '@postmaster/service';
import type { Call } from './call.js';
import { failedPlaces } from './failed-places.js';
import { remoteSource } from './remote-source.js';
import { asGraphQLError } from './shape-error.js';
import { subgraphConnection, type SubgraphLimits } from './subgraph-connection.js';

/** A subgraph in this process. Its context is what the subgraph would make of a request that carries the token. */
export interface LocalSubgraph {
  schema: GraphQLSchema;
  context(call: { token: string; requestId: string; signal: AbortSignal }): Promise<object> | object;
}

/** One that is asked over HTTP, with connections that are kept. */
export interface RemoteSubgraph {
  url: string;
}

export type Subgraph = LocalSubgraph | RemoteSubgraph;

type Options = GraphQLDataSourceProcessOptions<Call>;

export interface SubgraphSource extends GraphQLDataSource<Call> {
  /** Ends its connections. */
  close(): void;
}

export interface SubgraphParts {
  log: Log;
  limits: SubgraphLimits;
  /** Of what waits for a language model. */
  slowTimeoutMs: number;
  traceparent?: () => string | undefined;
}

/** Fetches from one subgraph. Whatever goes wrong is a coded error beside the rest of the answer; it never throws. */
export const subgraphSource = (name: string, subgraph: Subgraph | undefined, parts: SubgraphParts): SubgraphSource => {
  const { log } = parts;
  const { source, close } = sourceOf(name, subgraph, parts);
  return {
    close,
    process: async (options: Options) => {
      const call = callOf(options);
      const began = performance.now();
      try {
        const result = await inTime(source.process(options), call.signal, name);
        return result.errors
          ? { ...result, errors: result.errors.map((error) => asGraphQLError(error, call, log)) }
          : result;
      } catch (error) {
        return failed(name, error, options, log);
      } finally {
        call.timings?.add(name, performance.now() - began);
      }
    },
  };
};

const sourceOf = (name: string, subgraph: Subgraph | undefined, parts: SubgraphParts) => {
  const close = () => {};
  if (!subgraph) return { close, source: { process: () => Promise.reject(unavailable(name)) } };
  if ('schema' in subgraph) return { close, source: localSource(subgraph) };
  const connection = subgraphConnection(name, subgraph.url, parts.limits);
  return { close: connection.close, source: remoteSource({ name, connection, ...parts }) };
};

/** The failure at each place that this fetch leaves empty. */
const failed = (name: string, thrown: unknown, { request, context }: Options, log: Log) => {
  const error = thrown instanceof CodedError ? thrown : unavailable(name, thrown);
  if (error.cause)
    log.warn({ requestId: context.requestId, subgraph: name, err: error.cause }, 'a subgraph does not answer');
  const { message, extensions } = asGraphQLError(error);
  const places = failedPlaces(request.query ?? '', request.variables?.representations);
  return {
    errors:
      places.length > 0
        ? places.map((path) => new GraphQLError(message, { path, extensions }))
        : [new GraphQLError(message, { extensions })],
  };
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
