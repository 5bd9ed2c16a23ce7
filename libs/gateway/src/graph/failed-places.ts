import { type FieldNode, Kind, type OperationDefinitionNode, parse, type SelectionSetNode } from 'graphql';

/** An answer to an endless list of entities would otherwise be an endless list of errors. */
const MOST_ENTITIES = 100;

/**
 * The paths, in a subgraph's answer, of the fields that an operation would have filled: each gets its error when the
 * subgraph does not answer. Of references the first 100 are named.
 */
export const failedPlaces = (query: string, representations: unknown): (string | number)[][] => {
  const operation = parse(query, { noLocation: true }).definitions.find(
    (definition): definition is OperationDefinitionNode => definition.kind === Kind.OPERATION_DEFINITION,
  );
  const roots = operation?.selectionSet.selections.filter((selection) => selection.kind === Kind.FIELD) ?? [];
  if (!Array.isArray(representations)) return roots.map((field) => [keyOf(field)]);
  const entities = roots.find(({ name }) => name.value === '_entities')?.selectionSet;
  return representations.slice(0, MOST_ENTITIES).flatMap(({ __typename }: { __typename?: string }, index) => {
    return entities ? fieldsOn(entities, __typename).map((key) => ['_entities', index, key]) : [];
  });
};

const keyOf = ({ alias, name }: FieldNode): string => (alias ?? name).value;

const fieldsOn = ({ selections }: SelectionSetNode, type: string | undefined): string[] =>
  selections.flatMap((selection) =>
    selection.kind === Kind.INLINE_FRAGMENT && selection.typeCondition?.name.value === type
      ? selection.selectionSet.selections.flatMap((field) =>
          field.kind === Kind.FIELD && field.name.value !== '__typename' ? [keyOf(field)] : [],
        )
      : [],
  );
