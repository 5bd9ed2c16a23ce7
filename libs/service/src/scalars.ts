import { GraphQLError, GraphQLScalarType, Kind, valueFromASTUntyped } from 'graphql';

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;

const wrong = (given: unknown): GraphQLError =>
  new GraphQLError(
    `DateTime should be ISO 8601 with its zone, as 2026-11-21T09:30:00Z, and not ${JSON.stringify(given)}.`,
  );

const instant = (given: unknown): string => {
  if (typeof given !== 'string' || !INSTANT.test(given)) throw wrong(given);
  const time = new Date(given);
  if (Number.isNaN(time.getTime())) throw wrong(given);
  return time.toISOString();
};

/** Resolvers give a Date or an ISO 8601 string, and are given an ISO 8601 string in UTC. */
export const DateTimeScalar = new GraphQLScalarType<string, string>({
  name: 'DateTime',
  serialize: (value) => instant(value instanceof Date ? value.toISOString() : value),
  parseValue: instant,
  parseLiteral: (node) => instant(node.kind === Kind.STRING ? node.value : undefined),
});

export const JsonScalar = new GraphQLScalarType<unknown, unknown>({
  name: 'JSON',
  serialize: (value) => value,
  parseValue: (value) => value,
  parseLiteral: (node, variables) => valueFromASTUntyped(node, variables),
});
