import {
  type DocumentNode,
  type FieldNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  visit,
} from 'graphql';

/** The one field of a validated subscription, wherever fragments put it. */
export const subscribedField = (document: DocumentNode, operation: OperationDefinitionNode): FieldNode => {
  let set = operation.selectionSet;
  for (;;) {
    const [first] = set.selections;
    if (!first) throw new Error('A subscription without a field was not refused.');
    if (first.kind === Kind.FIELD) return first;
    if (first.kind === Kind.INLINE_FRAGMENT) set = first.selectionSet;
    else {
      const fragment = document.definitions.find(
        (definition) => definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === first.name.value,
      );
      if (fragment?.kind !== Kind.FRAGMENT_DEFINITION) throw new Error('An unknown fragment was not refused.');
      set = fragment.selectionSet;
    }
  }
};

/** The same selection as a query: its root field has the same name and arguments there. */
export const subscriptionAsQuery = (
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): DocumentNode => {
  const from = schema.getSubscriptionType()?.name;
  const to = schema.getQueryType()?.name;
  const fragments = document.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  const query = { ...operation, operation: OperationTypeNode.QUERY };
  return visit(
    { kind: Kind.DOCUMENT, definitions: [query, ...fragments] },
    {
      NamedType: (node) =>
        node.name.value === from && to ? { ...node, name: { ...node.name, value: to } } : undefined,
    },
  );
};
