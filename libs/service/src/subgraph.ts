import type { AddressInfo } from 'node:net';
import { ApolloServerPluginInlineTraceDisabled } from '@apollo/server/plugin/disabled';
import { ApolloFederationDriver, type ApolloFederationDriverConfig } from '@nestjs/apollo';
import { type DynamicModule, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { GraphQLModule, GraphQLSchemaHost } from '@nestjs/graphql';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { CodedError, type IdentitySeal } from '@postmaster/contracts';
import { type GraphQLScalarType, type GraphQLSchema, Kind, parse } from 'graphql';
import { type AskedOverHttp, callsOverHttp } from './calls-over-http.js';
import { formatError, TellErrors } from './graphql-errors.js';
import { type HealthOptions, healthAnswers } from './health.js';
import { type Log, nestLogger } from './log.js';
import { requireIdentity } from './require-identity.js';
import { DateTimeScalar, JsonScalar } from './scalars.js';
import { type RefusedContext, type SubgraphCall, type SubgraphContext, subgraphContext } from './subgraph-context.js';

export interface SubgraphOptions {
  name: string;
  /** The service's module, with its resolvers and their ports in it. */
  module: DynamicModule;
  /** The text of its SDL file. */
  typeDefs: string;
  seal: IdentitySeal;
  log: Log;
  /** What /health/ready and /metrics tell while it listens. */
  health?: HealthOptions;
}

/** A service as a federated schema: for a gateway in this process, or one that asks over HTTP. */
export interface RunningSubgraph {
  readonly name: string;
  readonly schema: GraphQLSchema;
  /** The context of one request, for whoever executes `schema` in this process. */
  context(call: SubgraphCall): Promise<SubgraphContext | RefusedContext>;
  readonly app: NestExpressApplication;
  /** Serves /graphql, /health/live, /health/ready and /metrics; gives the address it got. Throws PORT_TAKEN. */
  listen(port: number, host: string): Promise<string>;
  /** Ends running requests, then the module's own parts. */
  close(): Promise<void>;
}

/** A gateway sends many references at once, and mutations carry whole texts. */
const BODY_LIMIT = '32mb';

@Module({})
class Subgraph {}

export const startSubgraph = async (options: SubgraphOptions): Promise<RunningSubgraph> => {
  const { name, module, typeDefs, seal, health = {} } = options;
  const log = options.log.child({ service: name });
  const context = subgraphContext(seal);
  const calls = callsOverHttp(context);
  const graphql = GraphQLModule.forRoot<ApolloFederationDriverConfig>({
    driver: ApolloFederationDriver,
    typeDefs,
    resolvers: scalarsIn(typeDefs),
    fieldResolverEnhancers: ['filters'],
    transformSchema: (schema) => requireIdentity(schema, log),
    context: ({ req }: { req: AskedOverHttp }) => calls.contextOf(req),
    formatError,
    includeStacktraceInErrorResponses: false,
    plugins: [ApolloServerPluginInlineTraceDisabled()],
    graphiql: false,
    introspection: false,
  });
  const app = await NestFactory.create<NestExpressApplication>(
    { module: Subgraph, imports: [module, graphql] },
    { logger: nestLogger(log), abortOnError: false, bodyParser: false },
  );
  app.useBodyParser('json', { limit: BODY_LIMIT });
  app.useGlobalFilters(new TellErrors(log));
  serveHealth(app, health);
  app.use('/graphql', calls.receive);
  await app.init();
  return {
    name,
    schema: app.get(GraphQLSchemaHost).schema,
    context,
    app,
    listen: (port, host) => listen(app, port, host),
    close: () => app.close(),
  };
};

/** Those of our scalars that the SDL declares; naming others is an error. */
const scalarsIn = (typeDefs: string): Record<string, GraphQLScalarType> => {
  const declared = parse(typeDefs).definitions.flatMap((definition) =>
    definition.kind === Kind.SCALAR_TYPE_DEFINITION ? [definition.name.value] : [],
  );
  const ours = [DateTimeScalar, JsonScalar].filter((scalar) => declared.includes(scalar.name));
  return Object.fromEntries(ours.map((scalar) => [scalar.name, scalar]));
};

const serveHealth = (app: NestExpressApplication, health: HealthOptions): void => {
  const answer = healthAnswers(health);
  app.use(async (request: { path: string }, response: HealthResponse, next: (error?: unknown) => void) => {
    try {
      const found = await answer(request.path);
      if (!found) return next();
      response.status(found.status).type(found.contentType).send(found.body);
    } catch (error) {
      next(error);
    }
  });
};

interface HealthResponse {
  status(code: number): HealthResponse;
  type(contentType: string): HealthResponse;
  send(body: string): void;
}

const listen = async (app: NestExpressApplication, port: number, host: string): Promise<string> => {
  try {
    await app.listen(port, host);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EADDRINUSE')
      throw new CodedError('PORT_TAKEN', `Port ${port} of ${host} is in use.`, { cause });
    throw cause;
  }
  const address = app.getHttpServer().address() as AddressInfo; // a TCP server that listens has one
  return `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`;
};
