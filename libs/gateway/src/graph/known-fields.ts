import { type GraphQLFormattedError, type GraphQLSchema, isEnumType, isInputObjectType } from 'graphql';

const UNKNOWN_FIELD = /Field "(?<field>\w+)" is not defined by type "(?<type>\w+)"/;
const UNKNOWN_VALUE = /Value "[^"]*" does not exist in "(?<type>\w+)" enum/;

/** What GraphQL refuses as a field or value that an input doesn't have, with those that it has and their types. */
export const withKnownFields = (schema: GraphQLSchema, error: GraphQLFormattedError): GraphQLFormattedError => {
  const { type: name = '', field } =
    (UNKNOWN_FIELD.exec(error.message) ?? UNKNOWN_VALUE.exec(error.message))?.groups ?? {};
  const type = schema.getType(name);
  const code = /Filter$|^PlanCondition|^PlanField$/.test(name) ? { code: 'FILTER_INVALID', field } : {};
  const told = (known: string): GraphQLFormattedError => ({
    ...error,
    message: `${error.message} Known: ${known}.`,
    extensions: { ...error.extensions, ...code },
  });
  if (isInputObjectType(type))
    return told(
      Object.values(type.getFields())
        .map((one) => `${one.name} (${String(one.type)})`)
        .join(', '),
    );
  return isEnumType(type)
    ? told(
        type
          .getValues()
          .map((value) => value.name)
          .join(', '),
      )
    : error;
};
