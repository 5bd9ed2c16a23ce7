import {
  type DocumentNode,
  type ExecutionResult,
  type FieldNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  print,
  type SelectionNode,
  type SelectionSetNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { PROVIDED } from './answer-event.js';
import { withoutUnused } from './without-unused.js';

/**
 * The answer's events come from retrieval alone, but a client may select fields of their paragraphs that others own
 * (`document`, `facets`). Those are cut out of the selection, asked for through the gateway by `paragraphs(ids)`,
 * and put back where they belong.
 */
export interface SplitSelection {
  /** The operation without the others' fields; each selection on a paragraph carries a mark with its id. */
  own: DocumentNode;
  /** Fills an event's paragraphs, if it has any. */
  fill(event: ExecutionResult, run: Run): Promise<ExecutionResult>;
}

export type Run = (query: string, variables: Record<string, unknown>) => Promise<ExecutionResult>;

const MARK = 'postmaster_paragraph_';
const OWN = new Set<string>([...PROVIDED, '__typename']);
const isForeign = (node: SelectionNode): node is FieldNode => node.kind === Kind.FIELD && !OWN.has(node.name.value);

const field = (name: string, alias?: string, extra: Partial<FieldNode> = {}): FieldNode => ({
  kind: Kind.FIELD,
  name: { kind: Kind.NAME, value: name },
  ...(alias ? { alias: { kind: Kind.NAME, value: alias } } : {}),
  ...extra,
});

export const splitSelection = (
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Record<string, unknown>,
): SplitSelection => {
  const foreign: FieldNode[][] = [];
  const types = new TypeInfo(schema);
  const own = visit(
    document,
    visitWithTypeInfo(types, {
      SelectionSet: (set: SelectionSetNode) => {
        if (types.getParentType()?.name !== 'Paragraph') return undefined;
        const others = set.selections.filter(isForeign);
        if (others.length === 0) return undefined;
        const mark = field('id', `${MARK}${foreign.push(others) - 1}`);
        return { ...set, selections: [...set.selections.filter((selection) => !isForeign(selection)), mark] };
      },
    }),
  );
  return {
    own: withoutUnused(own),
    fill: async (event, run) => {
      const marked = markedParagraphs(event.data);
      if (marked.length === 0) return event;
      const indexes = [...new Set(marked.map(({ index }) => index))];
      const ids = [...new Set(marked.map(({ id }) => id))];
      const query = print(foreignQuery(document, operation, indexes, foreign));
      const answer = await run(query, { ...variables, [`${MARK}ids`]: ids });
      for (const { target, index, id } of marked) {
        const found = (answer.data?.[`${MARK}${index}`] as (Record<string, unknown> | null)[] | null)?.[
          ids.indexOf(id)
        ];
        for (const node of foreign[index] ?? []) {
          const key = node.alias?.value ?? node.name.value;
          if (found && !(key in found)) continue; // @skip or @include
          target[key] = merged(target[key], found?.[key] ?? null);
        }
      }
      const errors = [...(event.errors ?? []), ...(answer.errors ?? [])];
      return errors.length > 0 ? { ...event, errors } : event;
    },
  };
};

interface Marked {
  target: Record<string, unknown>;
  index: number;
  id: string;
}

/** Takes the marks off, and says where they were. */
const markedParagraphs = (value: unknown, found: Marked[] = []): Marked[] => {
  if (Array.isArray(value)) for (const item of value) markedParagraphs(item, found);
  else if (value !== null && typeof value === 'object') {
    const target = value as Record<string, unknown>; // a plain object of a GraphQL result
    for (const [key, part] of Object.entries(target)) {
      if (!key.startsWith(MARK)) markedParagraphs(part, found);
      else {
        found.push({ target, index: Number(key.slice(MARK.length)), id: String(part) });
        Reflect.deleteProperty(target, key);
      }
    }
  }
  return found;
};

/** Two selections of one field, as GraphQL merges them. */
const merged = (a: unknown, b: unknown): unknown => {
  if (Array.isArray(a) && Array.isArray(b)) return b.map((item, at) => merged(a[at], item));
  if (a !== null && b !== null && typeof a === 'object' && typeof b === 'object') {
    const left = a as Record<string, unknown>; // plain objects of one GraphQL type
    return { ...left, ...Object.fromEntries(Object.entries(b).map(([key, part]) => [key, merged(left[key], part)])) };
  }
  return b ?? a ?? null;
};

const foreignQuery = (
  document: DocumentNode,
  operation: OperationDefinitionNode,
  indexes: readonly number[],
  foreign: readonly FieldNode[][],
): DocumentNode => {
  const ids = { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: `${MARK}ids` } } as const;
  const name = (value: string) => ({ kind: Kind.NAME, value }) as const;
  const fragments = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
  const query: OperationDefinitionNode = {
    kind: Kind.OPERATION_DEFINITION,
    operation: OperationTypeNode.QUERY,
    variableDefinitions: [
      ...(operation.variableDefinitions ?? []),
      {
        kind: Kind.VARIABLE_DEFINITION,
        variable: ids,
        type: {
          kind: Kind.NON_NULL_TYPE,
          type: {
            kind: Kind.LIST_TYPE,
            type: { kind: Kind.NON_NULL_TYPE, type: { kind: Kind.NAMED_TYPE, name: name('ID') } },
          },
        },
      },
    ],
    selectionSet: {
      kind: Kind.SELECTION_SET,
      selections: indexes.map((index) =>
        field('paragraphs', `${MARK}${index}`, {
          arguments: [{ kind: Kind.ARGUMENT, name: name('ids'), value: ids }],
          selectionSet: { kind: Kind.SELECTION_SET, selections: foreign[index] ?? [] },
        }),
      ),
    },
  };
  return withoutUnused({ kind: Kind.DOCUMENT, definitions: [query, ...fragments] });
};
