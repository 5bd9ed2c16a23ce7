import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { buildSubgraphSchema } from '@apollo/subgraph';
import type { IdentitySeal } from '@postmaster/contracts';
import { DateTimeScalar, type Log, startSubgraph, subgraphContext } from '@postmaster/service';
import { Module, type Type } from '@nestjs/common';
import { Mutation, Query, ResolveField, ResolveReference, Resolver } from '@nestjs/graphql';
import { parse } from 'graphql';
import type { LocalSubgraph } from '../src/index.js';
import type { Resolvers } from './stand-in-resolvers.js';

const sdlOf = (service: string) =>
  readFileSync(new URL(`../../${service}/src/nest/schema.graphql`, import.meta.url), 'utf8');

/** A service in this process. */
export const localSubgraph = (service: string, resolvers: Resolvers, seal: IdentitySeal): LocalSubgraph => ({
  schema: buildSubgraphSchema({
    typeDefs: parse(sdlOf(service)),
    resolvers: { ...resolvers, DateTime: DateTimeScalar } as never,
  }),
  context: subgraphContext(seal),
});

/** A service in a server of its own, though in this process; a gateway can only ask it over HTTP. */
export interface Served {
  url: string;
  server: Server;
  close(): Promise<void>;
}

@Module({})
class StandInModule {}

/** The same as a process would serve it; it listens. */
export const servedSubgraph = async (
  service: string,
  resolvers: Resolvers,
  seal: IdentitySeal,
  log: Log,
): Promise<Served> => {
  const running = await startSubgraph({
    ...{ name: service, typeDefs: sdlOf(service), seal, log },
    module: {
      module: StandInModule,
      providers: Object.entries(resolvers).map(([type, fields]) => nested(type, fields)),
    },
  });
  const url = `${await running.listen(0, '127.0.0.1')}/graphql`;
  return { url, server: running.app.getHttpServer(), close: running.close };
};

const ROOTS: Record<string, (name: string) => MethodDecorator> = { Query, Mutation };

/** Resolvers of one type in the form that Nest wants. */
const nested = (type: string, fields: Resolvers[string]): Type => {
  class Fields {}
  for (const [name, resolve] of Object.entries(fields)) {
    const value = (...args: unknown[]) => (resolve as (...args: unknown[]) => unknown)(...args);
    Object.defineProperty(Fields.prototype, name, { value, writable: true, configurable: true });
    const decorate = name === '__resolveReference' ? ResolveReference() : (ROOTS[type]?.(name) ?? ResolveField(name));
    decorate(Fields.prototype, name, { value });
  }
  Resolver(type)(Fields);
  return Fields;
};
