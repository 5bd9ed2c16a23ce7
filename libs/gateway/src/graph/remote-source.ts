import type { GraphQLDataSource, GraphQLDataSourceProcessOptions } from '@apollo/gateway';
import type { Log } from '@postmaster/service';
import { z } from 'zod';
import type { Call } from './call.js';
import type { Post, SubgraphConnection } from './subgraph-connection.js';
import { VALUE_REFUSED } from './shape-error.js';

/** What is believed of an answer: nothing but data and errors; no headers, no extensions. */
const Answer = z
  .object({
    data: z.record(z.string(), z.unknown()).nullish(),
    errors: z
      .array(
        z.object({
          message: z.string(),
          path: z.array(z.union([z.string(), z.number()])).optional(),
          extensions: z.record(z.string(), z.unknown()).optional(),
        }),
      )
      .min(1)
      .optional(),
  })
  .refine(({ data, errors }) => data || errors, 'neither data nor errors');
type Answer = z.infer<typeof Answer>;

export interface RemoteSourceParts {
  name: string;
  connection: SubgraphConnection;
  log: Log;
  /** The W3C trace context of what runs now, where traces are kept. */
  traceparent?: () => string | undefined;
  /** Of an operation that waits for a language model. */
  slowTimeoutMs: number;
}

/**
 * Asks a subgraph over HTTP. Sends the internal token, the request's id and the trace, and nothing of what came from
 * outside. Throws what went wrong; a query is tried a second time where its connection was cut, a mutation never.
 */
export const remoteSource = (parts: RemoteSourceParts): GraphQLDataSource<Call> => ({
  process: async ({ request, ...options }: GraphQLDataSourceProcessOptions<Call>) => {
    const call = options.context as Call; // subgraphSource lets nothing else through
    const { query = '', variables, operationName } = request;
    const mutates = /^\s*mutation\b/.test(query);
    const traceparent = parts.traceparent?.();
    const post: Post = {
      body: JSON.stringify({ query, variables, operationName }),
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        authorization: `Bearer ${await call.token()}`,
        'x-request-id': call.requestId,
        ...(traceparent === undefined ? {} : { traceparent }),
      },
      signal: call.signal,
      alone: mutates,
      responseTimeoutMs: SLOW.test(query) ? parts.slowTimeoutMs : undefined,
    };
    const { status, body } = await posted(parts.connection, post, !mutates);
    return believed(readAnswer(body, status), status, variables?.representations);
  },
});

/** `ask` writes an answer with the language model before it gives any of it. */
const SLOW = /\bask\s*\(/;

const CUT = new Set(['ECONNRESET', 'EPIPE']);

const posted = async (connection: SubgraphConnection, post: Post, twice: boolean) => {
  try {
    return await connection.post(post);
  } catch (error) {
    if (!twice || post.signal.aborted || !CUT.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return await connection.post({ ...post, alone: true });
  }
};

const readAnswer = (body: string, status: number): Answer => {
  try {
    return Answer.parse(JSON.parse(body));
  } catch (cause) {
    throw new Error(`no GraphQL answer (status ${status})`, { cause });
  }
};

/** Errors that speak of the deployment and not of what the caller asked are not passed on as the caller's fault. */
const believed = ({ data, errors }: Answer, status: number, representations: unknown) => {
  const untold = errors?.find(({ extensions }) => extensions?.code === 'IDENTITY_INVALID');
  if (untold) throw new Error('it refuses the internal token: do both share a secret, and a clock?');
  if (status === 400 && errors && !errors.every(({ message }) => VALUE_REFUSED.test(message)))
    throw new Error(`it refuses the operation, so its schema is not the supergraph's: ${errors[0]?.message}`);
  if (data && Array.isArray(representations)) {
    const { _entities: entities } = data;
    if (!Array.isArray(entities) || entities.length !== representations.length)
      throw new Error('it gave another number of entities than was asked for');
  }
  return { data: data ?? null, ...(errors ? { errors: errors as never } : {}) }; // plain JSON until asGraphQLError
};
