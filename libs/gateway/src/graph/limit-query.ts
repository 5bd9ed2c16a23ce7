import {
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';
import { CodedError } from '@postmaster/contracts';

export interface QueryLimits {
  maxDepth: number;
  /** Fields that an answer may hold, estimated from `first`, `ids` and their defaults. */
  maxFields: number;
  maxRootFields: number;
}

export const QUERY_LIMITS: QueryLimits = { maxDepth: 15, maxFields: 100_000, maxRootFields: 20 };

/** Lists without `first` are short by nature (questions, reasons); pages default to 20. */
const PAGED = new Set(['documents', 'paragraphs', 'entities', 'neighbours']);
const PAGE = 20;

/** Refuses a query that is deeper, wider or larger than the limits, before any of it is run. */
export const limitQuery = (
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  variables: Record<string, unknown> = {},
  limits: QueryLimits = QUERY_LIMITS,
): void => {
  let fields = 0;
  let roots = 0;

  const number = (value: ValueNode): number | undefined => {
    if (value.kind === Kind.INT) return Number(value.value);
    if (value.kind === Kind.LIST) return value.values.length;
    const given = value.kind === Kind.VARIABLE ? variables[value.name.value] : undefined;
    return Array.isArray(given) ? given.length : typeof given === 'number' ? given : undefined;
  };

  const times = (field: FieldNode): number => {
    const size = field.arguments?.find(({ name }) => name.value === 'first' || name.value === 'ids');
    return Math.max(1, (size && number(size.value)) ?? (PAGED.has(field.name.value) ? PAGE : 1));
  };

  const walk = (set: SelectionSetNode, depth: number, factor: number): void => {
    for (const selection of set.selections) {
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        const fragment = fragments.get(selection.name.value);
        if (fragment) walk(fragment.selectionSet, depth, factor);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        walk(selection.selectionSet, depth, factor);
      } else {
        fields += factor;
        if (depth === 1) roots += 1;
        if (depth > limits.maxDepth) refuse(`The query is deeper than ${limits.maxDepth} levels.`);
        if (fields > limits.maxFields) refuse(`The query asks for more than ${limits.maxFields} fields.`);
        if (roots > limits.maxRootFields) refuse(`The query has more than ${limits.maxRootFields} fields at its root.`);
        // graphql-js limits introspection by itself
        const inner = selection.name.value.startsWith('__') ? undefined : selection.selectionSet;
        if (inner) walk(inner, depth + 1, factor * times(selection));
      }
    }
  };

  walk(operation.selectionSet, 1, 1);
};

const refuse = (message: string): never => {
  throw new CodedError('INPUT_INVALID', message, { next: 'Ask for less at once: smaller pages, fewer levels.' });
};
