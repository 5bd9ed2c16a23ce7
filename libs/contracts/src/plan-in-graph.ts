import { contractName, graphName } from './graph-names.js';
import type { Reading } from './reading.js';
import type { QueryPlan } from './search.js';

/** A reading in the graph's names, as it is sent back. */
export interface GraphReading {
  kind?: string | null;
  searchText: string;
  conditions?: readonly Record<string, unknown>[] | null;
  entities?: readonly Record<string, unknown>[] | null;
  dates?: readonly Record<string, unknown>[] | null;
  variations?: readonly Record<string, unknown>[] | null;
  favour?: Readonly<Record<string, number | null>> | null;
  keywords?: readonly string[] | null;
}

const FACTORS = {
  paragraph: 'paragraph',
  simple_questions: 'simpleQuestions',
  complex_questions: 'complexQuestions',
  context: 'context',
  scope: 'scope',
  lexical: 'lexical',
} as const satisfies Record<keyof Reading['favour'], string>;
const LEG_OF = new Map<string, string>(Object.entries(FACTORS).map(([leg, name]) => [name, leg]));
/** Whose values are names of enums there. */
const NAMES = new Set(['kind', 'role', 'field']);

/** A plan in the graph's names: enums in capitals. */
export const graphPlan = (plan: QueryPlan) => ({
  ...plan,
  fusion: graphName(plan.fusion),
  legs: plan.legs.map(({ leg, weight }) => ({ leg: graphName(leg), weight })),
  planning: graphName(plan.planning),
  reading: graphReading(plan.reading),
  cached: (plan.cached ?? []).map(graphName),
});

const graphReading = ({ favour, kind, entities, conditions, variations, ...rest }: Reading) => ({
  ...rest,
  kind: graphName(kind),
  entities: entities.map((one) => ({ ...one, role: graphName(one.role) })),
  conditions: conditions.map((one) => ({ ...one, field: graphName(one.field) })),
  variations: variations.map((one) => ({ ...one, kind: graphName(one.kind) })),
  favour: Object.fromEntries(Object.entries(favour).map(([leg, by]) => [FACTORS[leg as keyof typeof FACTORS], by])), // favour's keys are legs
});

/** What the contracts' schema is to check: a reading in its own names, without what the graph gives as null. */
export const readingOf = ({ favour, dates, ...reading }: GraphReading): Record<string, unknown> => ({
  ...withOwnNames(reading),
  ...(dates && { dates: dates.map(({ words, from = null, to = null }) => ({ words, from, to })) }), // null is a date's own
  ...(favour && {
    favour: Object.fromEntries(
      Object.entries(favour).flatMap(([name, by]) => (by === null ? [] : [[LEG_OF.get(name) ?? name, by]])),
    ),
  }),
});

const withOwnNames = (fields: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]: [string, unknown]) => {
      if (value === null || value === undefined) return [];
      if (NAMES.has(name) && typeof value === 'string') return [[name, contractName(value)]];
      return [[name, Array.isArray(value) ? value.map(ofItem) : value]];
    }),
  );

const ofItem = (item: unknown): unknown => (typeof item === 'object' && item !== null ? withOwnNames(item) : item);
