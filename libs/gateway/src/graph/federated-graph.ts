import { readFileSync } from 'node:fs';
import type { ApolloServer } from '@apollo/server';
import { CodedError } from '@postmaster/contracts';
import type { ExecutionResult, GraphQLSchema } from 'graphql';
import type { Log } from '@postmaster/service';
import type { Call } from './call.js';
import { requireFacade } from './facade-needs.js';
import { type GraphVersion, graphVersion } from './graph-version.js';
import { type Subgraph, type SubgraphParts, type SubgraphSource, subgraphSource } from './subgraph-source.js';

export interface GraphRequest {
  query: string;
  variables?: Record<string, unknown>;
  operationName?: string;
}

/** The federated graph: one way in for GraphQL, REST and streams alike. */
export interface FederatedGraph {
  /** What clients see at present, subscriptions included. */
  readonly schema: GraphQLSchema;
  /** Runs a query or mutation and ends the call. Errors are in their last shape. */
  run(call: Call, request: GraphRequest): Promise<ExecutionResult>;
  /** The present version, which stays whole until it is released. */
  hold(): { server: ApolloServer<Call>; release(): void };
  /**
   * Goes over to another supergraph; what runs ends on the version that it began with. Throws CONFIG_INVALID, and
   * changes nothing, for one that is none or lacks what the REST facade asks for.
   */
  replace(supergraphSdl: string): Promise<void>;
  stop(): Promise<void>;
}

/** Composed by scripts/compose-schema.mjs; found from src/ and dist/ alike. */
export const readSupergraph = (): string => readFileSync(new URL('../../supergraph.graphql', import.meta.url), 'utf8');

interface Served extends GraphVersion {
  running: number;
  replaced: boolean;
}

export const federatedGraph = async (
  supergraphSdl: string,
  subgraphs: Readonly<Record<string, Subgraph>>,
  parts: SubgraphParts,
): Promise<FederatedGraph> => {
  const { log } = parts;
  const sources = new Map<string, SubgraphSource>();
  const sourceOf = (name: string): SubgraphSource => {
    const source = sources.get(name) ?? subgraphSource(name, subgraphs[name], parts);
    sources.set(name, source);
    return source;
  };
  let served = await begun(supergraphSdl, sourceOf, log);

  const letGo = (version: Served): void => {
    if (!version.replaced || version.running > 0) return;
    version.server.stop().catch((err: unknown) => log.warn({ err }, 'an old version of the graph failed to stop'));
  };
  const hold = () => {
    const version = served;
    version.running += 1;
    let released = false;
    const release = () => {
      if (released) return;
      released = true;
      version.running -= 1;
      letGo(version);
    };
    return { server: version.server, release };
  };
  return {
    get schema() {
      return served.schema;
    },
    hold,
    run: async (call, request) => {
      const { server, release } = hold();
      try {
        const { body } = await server.executeOperation(request, { contextValue: call });
        if (body.kind !== 'single') throw new Error('The gateway gives single results only.');
        return body.singleResult as ExecutionResult; // formatted errors differ in type only
      } finally {
        call.end();
        release();
      }
    },
    replace: async (sdl) => {
      const next = await begun(sdl, sourceOf, log);
      const old = served;
      served = next;
      old.replaced = true;
      letGo(old);
    },
    stop: async () => {
      for (const source of sources.values()) source.close();
      await served.server.stop();
    },
  };
};

const begun = async (sdl: string, sourceOf: (name: string) => SubgraphSource, log: Log): Promise<Served> => {
  const version = await graphVersion(sdl, sourceOf, log).catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CodedError('CONFIG_INVALID', `The supergraph can not be read as one: ${why}`, { cause });
  });
  try {
    requireFacade(version.schema);
  } catch (error) {
    await version.server.stop();
    throw error;
  }
  return { ...version, running: 0, replaced: false };
};
