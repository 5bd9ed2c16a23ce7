import type { Identity, IdentitySeal, Observers, Requests } from '@postmaster/contracts';
import type { Log } from '@postmaster/service';
import type { DocumentNode, ExecutionResult, FieldNode, OperationDefinitionNode } from 'graphql';
import { type Call, callOf } from './call.js';
import type { FederatedGraph } from './federated-graph.js';

export interface Subscriber {
  /** Who asks; asked again at each event, for a key may be revoked while its stream is open. */
  identify(): Promise<Identity>;
  requestId: string;
  signal: AbortSignal;
  /** True where the request may change nothing: browsers send a GET on any page's behalf. */
  readOnly?: boolean;
}

export interface SubscribeParts {
  graph: FederatedGraph;
  seal: IdentitySeal;
  requests: Pick<Requests, 'stream'>;
  observers: Observers;
  log: Log;
  operationTimeoutMs: number;
}

/** A subscription that was checked against the schema. */
export interface Subscription {
  /** The operation and the fragments beside it. */
  document: DocumentNode;
  operation: OperationDefinitionNode;
  field: FieldNode;
  args: Record<string, unknown>;
  variables: Record<string, unknown>;
}

export type Results = AsyncGenerator<ExecutionResult, void>;

/** One run through the graph on the subscriber's behalf. */
export const callFor = (parts: SubscribeParts, identity: Identity, { requestId, signal }: Subscriber): Call =>
  callOf(parts.seal, identity, { requestId, signal, timeoutMs: parts.operationTimeoutMs });
