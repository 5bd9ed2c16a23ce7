import {
  answerStream,
  CodedError,
  failureOf,
  type Identity,
  type IdentitySeal,
  type Observers,
  type Requests,
  requireScope,
} from '@postmaster/contracts';
import {
  type DocumentNode,
  execute,
  type ExecutionResult,
  getArgumentValues,
  getOperationAST,
  getVariableValues,
  type FieldNode,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
  print,
  validate,
} from 'graphql';
import type { Log } from '@postmaster/service';
import { type AnswerArguments, answerRequestOf, asGraphEvent } from './answer-event.js';
import { type Call, callOf } from './call.js';
import type { FederatedGraph, GraphRequest } from './federated-graph.js';
import { splitSelection } from './fill-paragraphs.js';
import { followDocument } from './follow-document.js';
import { limitQuery } from './limit-query.js';
import { asGraphQLError, shapeError } from './shape-error.js';
import { subscribedField, subscriptionAsQuery } from './subscription-as-query.js';

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

/** Results of any operation; of a subscription as they come. The caller is authorised before an iterator is returned. */
export type Subscribe = (
  subscriber: Subscriber,
  request: GraphRequest,
) => Promise<ExecutionResult | AsyncGenerator<ExecutionResult, void>>;

interface Subscription {
  document: DocumentNode;
  operation: OperationDefinitionNode;
  field: FieldNode;
  args: Record<string, unknown>;
  variables: Record<string, unknown>;
}

export const subscribe = (parts: SubscribeParts): Subscribe => {
  const { graph, seal, operationTimeoutMs, log } = parts;
  return async (subscriber, request) => {
    const identity = await subscriber.identify();
    try {
      const document = parse(request.query);
      const operation = getOperationAST(document, request.operationName);
      if (subscriber.readOnly && operation?.operation === OperationTypeNode.MUTATION)
        throw new CodedError('INPUT_INVALID', 'A mutation goes by POST.', { next: 'Send it by POST.' });
      if (operation?.operation !== OperationTypeNode.SUBSCRIPTION)
        return await graph.run(timedCall(seal, identity, subscriber, operationTimeoutMs), request);
      requireScope(identity, 'read');
      const subscription = readSubscription(graph.schema, document, operation, request.variables);
      if (subscription.field.name.value === 'document') return followed(parts, subscriber, identity, subscription);
      return answered(parts, subscriber, identity, subscription);
    } catch (error) {
      return refusal(error, subscriber.requestId, log);
    }
  };
};

const timedCall = (
  seal: IdentitySeal,
  identity: Identity,
  { requestId, signal }: Subscriber,
  timeoutMs: number,
): Call => callOf(seal, identity, { requestId, signal, timeoutMs });

/** Whatever is wrong with the operation itself is INPUT_INVALID. */
const readSubscription = (
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  given: Record<string, unknown> = {},
): Subscription => {
  const [fault] = validate(schema, document);
  if (fault) throw fault;
  const fragments = document.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  limitQuery(operation, new Map(fragments.map((fragment) => [fragment.name.value, fragment])), given);
  const { coerced, errors } = getVariableValues(schema, operation.variableDefinitions ?? [], given);
  if (errors?.[0]) throw errors[0];
  const field = subscribedField(document, operation);
  const definition = schema.getSubscriptionType()?.getFields()[field.name.value];
  if (!definition) throw new CodedError('INPUT_INVALID', `There is no subscription "${field.name.value}".`);
  return {
    document: { kind: Kind.DOCUMENT, definitions: [operation, ...fragments] },
    operation,
    field,
    args: getArgumentValues(definition, field, coerced),
    variables: given,
  };
};

const STATE = 'postmaster_state';

/** The selection is run as a query now and at each change; beside it the status, which says when to end. */
async function* followed(
  { graph, seal, observers, operationTimeoutMs, log }: SubscribeParts,
  subscriber: Subscriber,
  { tenant }: Identity,
  { document, operation, field, args, variables }: Subscription,
): AsyncGenerator<ExecutionResult, void> {
  const status: FieldNode = {
    ...field,
    alias: { kind: Kind.NAME, value: STATE },
    selectionSet: {
      kind: Kind.SELECTION_SET,
      selections: [{ kind: Kind.FIELD, name: { kind: Kind.NAME, value: 'status' } }],
    },
  };
  const selections = [...operation.selectionSet.selections, status];
  const watched = { ...operation, selectionSet: { ...operation.selectionSet, selections } };
  const query = print(subscriptionAsQuery(graph.schema, document, watched));
  const look = async () => {
    const call = timedCall(seal, await subscriber.identify(), subscriber, operationTimeoutMs);
    const { data, errors } = await graph.run(call, { query, variables });
    const { [STATE]: state, ...rest } = (data ?? {}) as { [STATE]?: { status: string } | null };
    return { result: { data: rest, ...(errors ? { errors } : {}) }, status: errors ? 'UNKNOWN' : state?.status };
  };
  const isLast = ({ status }: { status?: string }) => status === undefined || status === 'DELETED';
  const { signal, requestId } = subscriber;
  try {
    const states = followDocument({ observers, tenant, document: String(args.id), signal }, look, isLast);
    for await (const { result } of states) yield result;
  } catch (error) {
    yield refusal(error, requestId, log);
  }
}

/** Retrieval's events in the shape that was selected; what other services own is filled in through the gateway. */
async function* answered(
  { graph, seal, requests, operationTimeoutMs, log }: SubscribeParts,
  subscriber: Subscriber,
  identity: Identity,
  { document, operation, args, variables }: Subscription,
): AsyncGenerator<ExecutionResult, void> {
  const { own, fill } = splitSelection(graph.schema, document, operation, variables);
  const run = (query: string, values: Record<string, unknown>) =>
    graph.run(timedCall(seal, identity, subscriber, operationTimeoutMs), { query, variables: values });
  const shape = async (event: Record<string, unknown>) => {
    const result = await execute({
      schema: graph.schema,
      document: own,
      rootValue: { answer: event },
      variableValues: variables,
    });
    return fill(shaped(result, subscriber.requestId), run);
  };
  try {
    const token = await seal.sign(identity);
    const events = requests.stream(
      answerStream,
      token,
      answerRequestOf(args as unknown as AnswerArguments),
      subscriber.signal,
    );
    for await (const event of events) yield await shape(asGraphEvent(event));
  } catch (error) {
    if (subscriber.signal.aborted) return;
    if (!(error instanceof CodedError))
      log.error({ requestId: subscriber.requestId, err: error }, 'an answer broke off');
    yield await shape(asGraphEvent({ type: 'refused', ...failureOf(error) }));
  }
}

const shaped = (result: ExecutionResult, requestId: string): ExecutionResult =>
  result.errors
    ? { ...result, errors: outward(result.errors.map((error) => shapeError(error.toJSON(), requestId))) }
    : result;

/** Faults of the operation are the caller's; of anything else only the code is told. */
const refusal = (error: unknown, requestId: string, log: Log): ExecutionResult => {
  const plain =
    error instanceof CodedError || !(error instanceof GraphQLError) ? asGraphQLError(error, { requestId }, log) : error;
  const { message, locations, extensions } = plain;
  const code = extensions.code ?? 'GRAPHQL_VALIDATION_FAILED';
  return { errors: outward([shapeError({ message, locations, extensions: { ...extensions, code } }, requestId)]) };
};

/** Formatted errors differ from GraphQLErrors in type only: both are written as JSON. */
const outward = (errors: GraphQLFormattedError[]) => errors as unknown as NonNullable<ExecutionResult['errors']>;
