import { describe, expect, it } from 'vitest';
import { type FragmentDefinitionNode, Kind, type OperationDefinitionNode, parse } from 'graphql';
import { limitQuery } from './limit-query.js';

const LIMITS = { maxDepth: 5, maxFields: 1000, maxRootFields: 3 };

const check = (query: string, variables = {}) => {
  const { definitions } = parse(query);
  const operation = definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION) as OperationDefinitionNode;
  const fragments = definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION) as FragmentDefinitionNode[];
  limitQuery(operation, new Map(fragments.map((fragment) => [fragment.name.value, fragment])), variables, LIMITS);
};

describe('a query', () => {
  it('may be of the depth that is allowed and not deeper, fragments counted in', () => {
    expect(() => check('{ a { b { c { d { e } } } } }')).not.toThrow();
    expect(() => check('{ a { b { ...F } } } fragment F on T { c { d { e { f } } } }')).toThrow(/deeper than 5/);
  });

  it('counts what pages multiply, by literal, variable or default', () => {
    expect(() => check('{ search(first: 99) { a b c d e f g h i } }')).not.toThrow();
    expect(() => check('{ search(first: 100) { a b c d e f g h i j } }')).toThrow(/more than 1000 fields/);
    const paged = 'query ($n: Int) { search(first: $n) { a b c d e f g h i j } }';
    expect(() => check(paged, { n: 5 })).not.toThrow();
    expect(() => check(paged, { n: 100 })).toThrow(/more than 1000/);
    expect(() => check('{ documents { nodes { paragraphs { nodes { text page } } } } }')).toThrow(/more than 1000/);
    expect(() =>
      check('query ($ids: [ID!]!) { paragraphs(ids: $ids) { a b } }', { ids: Array(501).fill('x') }),
    ).toThrow(/1000/);
  });

  it('can not multiply itself with fragments of fragments', () => {
    const names = Array.from({ length: 30 }, (_, at) => `F${at}`);
    const bodies = names.map(
      (name, at) => `fragment ${name} on T { ...${names[at + 1] ?? 'End'} ...${names[at + 1] ?? 'End'} }`,
    );
    expect(() => check(`{ a { ...F0 } } ${bodies.join(' ')} fragment End on T { x }`)).toThrow(/more than 1000/);
  });

  it('has few fields at its root, and as much introspection as GraphQL allows', () => {
    expect(() => check('{ a b c d }')).toThrow(/at its root/);
    expect(() => check('{ __schema { types { fields { type { ofType { ofType { name } } } } } } }')).not.toThrow();
  });
});
