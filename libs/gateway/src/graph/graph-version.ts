import { ApolloGateway } from '@apollo/gateway';
import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import {
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled';
import { Kind, type FragmentDefinitionNode, type GraphQLSchema } from 'graphql';
import type { Log } from '@postmaster/service';
import type { Call } from './call.js';
import { withKnownFields } from './known-fields.js';
import { limitQuery } from './limit-query.js';
import { asGraphQLError, shapeError } from './shape-error.js';
import type { SubgraphSource } from './subgraph-source.js';

/** Of a query's text; what is longer is refused before it is parsed further. */
export const MAX_TOKENS = 5_000;

/** One supergraph, ready to run operations. */
export interface GraphVersion {
  server: ApolloServer<Call>;
  /** What clients see, subscriptions included. */
  schema: GraphQLSchema;
}

/** Throws where the text is no supergraph. */
export const graphVersion = async (
  supergraphSdl: string,
  sourceOf: (name: string) => SubgraphSource,
  log: Log,
): Promise<GraphVersion> => {
  // Apollo's gateway would send figures of its host to Apollo every hour; this is its only switch
  process.env.APOLLO_TELEMETRY_DISABLED = 'true';
  const gateway = new ApolloGateway({
    supergraphSdl,
    buildService: ({ name }) => sourceOf(name),
    logger: quiet(log),
    validateSupergraph: true,
    __exposeQueryPlanExperimental: false,
  });
  let schema: GraphQLSchema | undefined;
  gateway.onSchemaLoadOrUpdate(({ apiSchema }) => {
    schema = apiSchema;
  });
  const server = new ApolloServer<Call>({
    gateway,
    introspection: true,
    persistedQueries: false,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    parseOptions: { maxTokens: MAX_TOKENS },
    maxRecursiveSelections: true,
    logger: quiet(log),
    formatError: (formatted) => shapeError(schema ? withKnownFields(schema, formatted) : formatted),
    plugins: [
      guardOperation(log),
      ApolloServerPluginLandingPageDisabled(),
      ApolloServerPluginInlineTraceDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
    ],
  });
  await server.start();
  if (!schema) throw new Error('The gateway started without a schema.');
  return { server, schema };
};

/** Limits before anything runs; at the end every error in its last shape, with the request's id. */
const guardOperation = (log: Log): ApolloServerPlugin<Call> => ({
  requestDidStart: async () => {
    const began = performance.now();
    return {
      didResolveOperation: async ({ operation, document, request }) => {
        const fragments = new Map(
          document.definitions
            .filter((definition): definition is FragmentDefinitionNode => definition.kind === Kind.FRAGMENT_DEFINITION)
            .map((fragment) => [fragment.name.value, fragment]),
        );
        try {
          if (operation) limitQuery(operation, fragments, request.variables);
        } catch (error) {
          throw asGraphQLError(error);
        }
      },
      didEncounterErrors: async ({ errors, contextValue }) => {
        for (const error of errors)
          if (error.extensions.code === undefined || error.extensions.code === 'INTERNAL_SERVER_ERROR')
            log.error({ requestId: contextValue.requestId, err: error }, 'a query failed unexpectedly');
      },
      willSendResponse: async ({ response: { body }, contextValue: { requestId, timings } }) => {
        timings?.add('graph', performance.now() - began);
        if (body.kind !== 'single') return;
        const { singleResult } = body;
        const nulled = singleResult.extensions?.valueCompletion;
        if (nulled) log.error({ requestId, nulled }, 'a subgraph gave values that its schema forbids');
        delete singleResult.extensions;
        const errors = singleResult.errors ?? (nulled ? [{ message: 'A value was not of its type.' }] : []);
        if (errors.length > 0) singleResult.errors = errors.map((error) => shapeError(error, requestId));
      },
    };
  },
});

/** Apollo's own log, where it says more than the gateway does. */
const quiet = (log: Log) => ({
  debug: () => {},
  info: () => {},
  warn: (message: string) => log.warn({}, message),
  error: (message: string) => log.error({}, message),
});
