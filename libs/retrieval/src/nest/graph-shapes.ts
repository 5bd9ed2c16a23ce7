import {
  type AnswerEvent,
  contractName,
  graphName,
  type GraphName,
  type Citation,
  type Fusion,
  graphPlan,
  kindOf,
  type GraphReading,
  type GroupBy,
  type HitGroup,
  type HitParagraph,
  type ScoredLeg,
  type Planning,
  readingOf,
  type Rerank,
  type SearchHit,
  type SearchOptions,
} from '@postmaster/contracts';
import type { OwnFigures } from '../evaluation/evaluate-own.js';

type GraphWeights = Partial<
  Record<
    'paragraph' | 'simpleQuestions' | 'complexQuestions' | 'context' | 'scope' | 'lexical' | 'entities',
    number | null
  >
>;

export interface GraphSearchOptions {
  fusion?: GraphName<Fusion> | null;
  rrfK?: number | null;
  temperature?: number | null;
  minRelevance?: number | null;
  rerank?: GraphName<Rerank> | null;
  weights?: GraphWeights | null;
  planning?: GraphName<Planning> | null;
  plan?: GraphReading | null;
  questions?: number | null;
  hypothetical?: boolean | null;
  foldDuplicates?: boolean | null;
  diversity?: number | null;
  groupBy?: GraphName<GroupBy> | null;
  perGroup?: number | null;
  summaries?: boolean | null;
  fresh?: boolean | null;
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

const optionsOf = (options: GraphSearchOptions): SearchOptions => {
  const { rrfK, fusion, rerank, groupBy, planning, plan, weights, ...rest } = options;
  return present({
    ...rest,
    fusion: fusion && contractName(fusion),
    groupBy: groupBy && contractName(groupBy),
    rerank: rerank && contractName(rerank),
    k: rrfK,
    weights: weights && weightsOf(weights),
    planning: planning && contractName(planning),
    plan: plan && readingOf(plan),
  });
};

const weightsOf = (weights: GraphWeights): Partial<Record<ScoredLeg, number>> =>
  present({
    paragraph: weights.paragraph,
    simple_questions: weights.simpleQuestions,
    complex_questions: weights.complexQuestions,
    context: weights.context,
    scope: weights.scope,
    lexical: weights.lexical,
    entities: weights.entities,
  });

const present = <T extends object>(fields: { [K in keyof T]?: T[K] | null | '' }): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)) as T;

const graphLeg = (leg: ScoredLeg) => graphName(leg);

/** A summary stands nowhere in its document. */
const graphParagraph = (paragraph: HitParagraph) => ({
  __typename: 'Paragraph' as const,
  ...paragraph,
  ...(kindOf(paragraph) === 'summary' && { position: null, start: null, end: null }),
});

export const graphHit = ({ paragraph, why, ...scores }: SearchHit) => ({
  ...scores,
  kind: graphName(kindOf(paragraph)),
  paragraph: graphParagraph(paragraph),
  why: why.map((match) => ({ ...match, leg: graphLeg(match.leg) })),
});

export const graphGroup = ({ hits, ...rest }: HitGroup) => ({ ...rest, hits: hits.map(graphHit) });

export const graphCitation = (citation: Citation) => ({ ...citation, paragraph: graphParagraph(citation.paragraph) });

export const graphFigures = ({ scores, ...rest }: OwnFigures) => ({
  ...rest,
  hitAt1: scores['hit@1'],
  recallAt5: scores['recall@5'],
  recallAt20: scores['recall@20'],
  mrrAt10: scores['mrr@10'],
  ndcgAt10: scores['ndcg@10'],
});

/** A step of an answer as a member of the union AnswerEvent. */
export const graphEvent = (event: AnswerEvent) => {
  switch (event.type) {
    case 'hits':
      return {
        __typename: 'Hits' as const,
        hits: event.hits.map(graphHit),
        plan: event.plan ? graphPlan(event.plan) : null,
        notices: event.notices,
      };
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
