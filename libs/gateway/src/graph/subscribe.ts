import { CodedError, requireScope } from '@postmaster/contracts';
import {
  type DocumentNode,
  type ExecutionResult,
  getArgumentValues,
  getOperationAST,
  getVariableValues,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
  validate,
} from 'graphql';
import { answered } from './answer-subscription.js';
import { followed } from './document-subscription.js';
import type { GraphRequest } from './federated-graph.js';
import { MAX_TOKENS } from './graph-version.js';
import { limitQuery } from './limit-query.js';
import { resultOfFailure } from './result-errors.js';
import { callFor, type Results, type SubscribeParts, type Subscriber, type Subscription } from './subscription.js';
import { subscribedField } from './subscription-as-query.js';

/** Results of any operation; of a subscription as they come. The caller is authorised before an iterator is returned. */
export type Subscribe = (subscriber: Subscriber, request: GraphRequest) => Promise<ExecutionResult | Results>;

export const subscribe = (parts: SubscribeParts): Subscribe => {
  const { graph, log } = parts;
  return async (subscriber, request) => {
    const identity = await subscriber.identify();
    try {
      const document = parse(request.query, { maxTokens: MAX_TOKENS });
      const operation = getOperationAST(document, request.operationName);
      if (subscriber.readOnly && operation?.operation === OperationTypeNode.MUTATION)
        throw new CodedError('INPUT_INVALID', 'A mutation goes by POST.', { next: 'Send it by POST.' });
      if (operation?.operation !== OperationTypeNode.SUBSCRIPTION)
        return await graph.run(callFor(parts, identity, subscriber), request);
      requireScope(identity, 'read');
      const subscription = readSubscription(graph.schema, document, operation, request.variables);
      if (subscription.field.name.value === 'document') return followed(parts, subscriber, identity, subscription);
      return answered(parts, subscriber, identity, subscription);
    } catch (error) {
      return resultOfFailure(error, subscriber.requestId, log, graph.schema);
    }
  };
};

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
