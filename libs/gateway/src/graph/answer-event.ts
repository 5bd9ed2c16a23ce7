import {
  type AnswerEvent,
  type AnswerRequest,
  type Citation,
  graphPlan,
  type GraphReading,
  type HitParagraph,
  kindOf,
  readingOf,
  type SearchHit,
} from '@postmaster/contracts';

/** An event of retrieval's stream as the graph's union AnswerEvent. */
export const asGraphEvent = (event: AnswerEvent): Record<string, unknown> => {
  switch (event.type) {
    case 'hits':
      return {
        __typename: 'Hits',
        hits: event.hits.map(graphHit),
        plan: event.plan ? graphPlan(event.plan) : null,
        notices: event.notices,
      };
    case 'text':
      return { __typename: 'TextDelta', text: event.delta };
    case 'citation':
      return { __typename: 'CitationFound', citation: graphCitation(event.citation) };
    case 'done':
      return {
        __typename: 'Done',
        found: event.found,
        model: event.model,
        notices: event.notices,
        cached: event.cached ?? false,
      };
    case 'refused':
      return { __typename: 'Refused', code: event.code, message: event.message, next: event.next, field: null };
  }
};

/** Fields of a paragraph that retrieval knows by itself; the supergraph's @provides says the same. */
export const PROVIDED = ['id', 'text', 'position', 'page', 'start', 'end', 'trail'] as const;

const graphParagraph = (paragraph: HitParagraph) => ({
  __typename: 'Paragraph',
  ...Object.fromEntries(PROVIDED.map((field) => [field, paragraph[field]])),
});

const graphHit = ({ paragraph, why, rerank, ...rest }: SearchHit) => ({
  ...rest,
  kind: kindOf(paragraph).toUpperCase(),
  paragraph: graphParagraph(paragraph),
  why: why.map((match) => ({ ...match, leg: match.leg.toUpperCase() })),
  rerank: rerank ?? null,
});

const graphCitation = ({ paragraph, ...rest }: Citation) => ({ ...rest, paragraph: graphParagraph(paragraph) });

/** The arguments of the graph's `answer`, which GraphQL has checked against the schema. */
export interface AnswerArguments {
  query: string;
  first?: number | null;
  filter?: object | null;
  options?: {
    fusion?: string | null;
    rrfK?: number | null;
    temperature?: number | null;
    minRelevance?: number | null;
    rerank?: string | null;
    foldDuplicates?: boolean | null;
    diversity?: number | null;
    groupBy?: string | null;
    perGroup?: number | null;
    summaries?: boolean | null;
    fresh?: boolean | null;
    weights?: Record<string, number | null> | null;
    planning?: string | null;
    plan?: GraphReading | null;
    questions?: number | null;
    hypothetical?: boolean | null;
  } | null;
}

/** The same in the contracts' words; what values they may have is for retrieval to say. */
export const answerRequestOf = ({ query, first, filter, options }: AnswerArguments): AnswerRequest => ({
  query,
  first,
  filter: filter ? present(filter) : undefined,
  options: options ? optionsOf(options) : undefined,
});

type GivenOptions = NonNullable<AnswerArguments['options']>;

const optionsOf = ({ fusion, rrfK, rerank, weights, planning, plan, groupBy, ...others }: GivenOptions) =>
  present({
    ...others,
    k: rrfK,
    groupBy: groupBy?.toLowerCase(),
    fusion: fusion?.toLowerCase().replace('_', '-'),
    rerank: rerank?.toLowerCase().replace('_', '-'),
    weights: weights && weightsOf(weights),
    planning: planning?.toLowerCase(),
    plan: plan && readingOf(plan),
  });

const weightsOf = (weights: Record<string, number | null>) =>
  Object.fromEntries(Object.entries(present(weights)).map(([field, weight]) => [legOf(field), weight]));

const legOf = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Null is absent in the contracts. */
const present = (value: object): object =>
  Object.fromEntries(Object.entries(value).filter(([, part]) => part !== null && part !== undefined));
