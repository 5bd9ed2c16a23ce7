import { CodedError } from '@postmaster/contracts';
import { type GraphQLFieldResolver, type GraphQLObjectType, type GraphQLSchema, defaultFieldResolver } from 'graphql';
import { tellError } from './graphql-errors.js';
import type { Log } from './log.js';
import type { RefusedContext, SubgraphContext } from './subgraph-context.js';

/**
 * Refuses every way into a schema without a valid internal identity. All of them lead through a root field:
 * `_entities` too, by which references are resolved, and `_service`.
 */
export const requireIdentity = (schema: GraphQLSchema, log: Log): GraphQLSchema => {
  for (const type of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()])
    if (type) guardFields(type, log);
  return schema;
};

const guardFields = (type: GraphQLObjectType, log: Log): void => {
  for (const field of Object.values(type.getFields())) {
    field.resolve = guarded(field.resolve ?? defaultFieldResolver, log);
    if (field.subscribe) field.subscribe = guarded(field.subscribe, log);
  }
};

const guarded =
  (resolve: GraphQLFieldResolver<unknown, unknown>, log: Log): GraphQLFieldResolver<unknown, unknown> =>
  (source, args, context, info) => {
    // Whoever executes this schema makes the context with subgraphContext; one who doesn't has no identity.
    const asked = context as SubgraphContext | RefusedContext | undefined;
    if (!asked?.identity) throw tellError(asked?.refusal ?? noIdentity(), asked?.requestId, log);
    return resolve(source, args, context, info);
  };

const noIdentity = () => new CodedError('IDENTITY_INVALID', 'The request carries no internal identity.');
