import { type DocumentNode, type FragmentDefinitionNode, Kind, type OperationDefinitionNode, visit } from 'graphql';

/** Leaves out fragments and variables that nothing refers to any more: GraphQL refuses a document that has them. */
export const withoutUnused = (document: DocumentNode): DocumentNode => {
  const fragments = new Map(
    document.definitions
      .filter((definition): definition is FragmentDefinitionNode => definition.kind === Kind.FRAGMENT_DEFINITION)
      .map((fragment) => [fragment.name.value, fragment]),
  );
  const usedFragments = new Set<string>();
  const usedVariables = new Set<string>();
  const collect = (node: OperationDefinitionNode | FragmentDefinitionNode): void => {
    visit(node, {
      VariableDefinition: () => false,
      Variable: ({ name }) => void usedVariables.add(name.value),
      FragmentSpread: ({ name }) => {
        const fragment = fragments.get(name.value);
        if (!fragment || usedFragments.has(name.value)) return;
        usedFragments.add(name.value);
        collect(fragment);
      },
    });
  };
  const operations = document.definitions.filter(
    (definition): definition is OperationDefinitionNode => definition.kind === Kind.OPERATION_DEFINITION,
  );
  operations.forEach(collect);
  return {
    kind: Kind.DOCUMENT,
    definitions: [
      ...operations.map((operation) => ({
        ...operation,
        variableDefinitions: operation.variableDefinitions?.filter(({ variable }) =>
          usedVariables.has(variable.name.value),
        ),
      })),
      ...[...fragments.values()].filter(({ name }) => usedFragments.has(name.value)),
    ],
  };
};
