import type {
  AnswerEvent,
  Citation,
  Fusion,
  HitParagraph,
  Leg,
  QueryPlan,
  Rerank,
  SearchHit,
  SearchOptions,
} from '@postmaster/contracts';

/** Between the graph's names and the contracts': enums in capitals there, fields without nulls here. */
type GraphName<N extends string> = Uppercase<N extends `${infer A}-${infer B}` ? `${A}_${B}` : N>;
const graphName = <N extends string>(name: N) => name.toUpperCase().replaceAll('-', '_') as GraphName<N>;

/** Its inverse. */
const contractName = (name: string): string => name.toLowerCase().replaceAll('_', '-');

export interface GraphSearchOptions {
  fusion?: GraphName<Fusion> | null;
  rrfK?: number | null;
  temperature?: number | null;
  minRelevance?: number | null;
  rerank?: GraphName<Rerank> | null;
  fresh?: boolean | null;
  weights?: Partial<
    Record<'paragraph' | 'simpleQuestions' | 'complexQuestions' | 'context' | 'scope' | 'lexical', number | null>
  > | null;
}

export interface QuestionArgs {
  query: string;
  first?: number | null;
  filter?: unknown;
  options?: GraphSearchOptions | null;
}

export const requestOf = ({ query, first, filter, options }: QuestionArgs) => ({
  query,
  first: first ?? undefined,
  filter: filter ?? undefined,
  options: options ? optionsOf(options) : undefined,
});

const optionsOf = ({
  fusion,
  rrfK,
  temperature,
  minRelevance,
  rerank,
  fresh,
  weights,
}: GraphSearchOptions): SearchOptions =>
  present({
    fusion: fusion && (contractName(fusion) as Fusion),
    rerank: rerank && (contractName(rerank) as Rerank),
    k: rrfK,
    temperature,
    minRelevance,
    fresh,
    weights:
      weights &&
      present<NonNullable<SearchOptions['weights']>>({
        paragraph: weights.paragraph,
        simple_questions: weights.simpleQuestions,
        complex_questions: weights.complexQuestions,
        context: weights.context,
        scope: weights.scope,
        lexical: weights.lexical,
      }),
  });

const present = <T extends object>(fields: { [K in keyof T]?: T[K] | null | '' }): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)) as T;

const graphLeg = (leg: Leg) => graphName(leg);

const graphParagraph = (paragraph: HitParagraph) => ({ __typename: 'Paragraph' as const, ...paragraph });

export const graphHit = ({ paragraph, why, ...scores }: SearchHit) => ({
  ...scores,
  paragraph: graphParagraph(paragraph),
  why: why.map((match) => ({ ...match, leg: graphLeg(match.leg) })),
});

export const graphCitation = (citation: Citation) => ({ ...citation, paragraph: graphParagraph(citation.paragraph) });

export const graphPlan = (plan: QueryPlan) => ({
  ...plan,
  fusion: graphName(plan.fusion),
  legs: plan.legs.map(({ leg, weight }) => ({ leg: graphLeg(leg), weight })),
  cached: (plan.cached ?? []).map(graphName),
});

/** A step of an answer as a member of the union AnswerEvent. */
export const graphEvent = (event: AnswerEvent) => {
  switch (event.type) {
    case 'hits':
      return { __typename: 'Hits' as const, hits: event.hits.map(graphHit), notices: event.notices };
    case 'text':
      return { __typename: 'TextDelta' as const, text: event.delta };
    case 'citation':
      return { __typename: 'CitationFound' as const, citation: graphCitation(event.citation) };
    case 'done':
      return {
        __typename: 'Done' as const,
        found: event.found,
        model: event.model,
        notices: event.notices,
        cached: event.cached ?? false,
      };
    case 'refused':
      return {
        __typename: 'Refused' as const,
        code: event.code,
        message: event.message,
        next: event.next,
        field: null,
      };
  }
};
