import {
  type AnswerEvent,
  AnswerRequest,
  type Citation,
  CodedError,
  Fusion,
  type HitParagraph,
  Leg,
  type SearchHit,
} from '@postmaster/contracts';

/** An event of retrieval's stream as the graph's union AnswerEvent. */
export const asGraphEvent = (event: AnswerEvent): Record<string, unknown> => {
  switch (event.type) {
    case 'hits':
      return { __typename: 'Hits', hits: event.hits.map(graphHit), notices: event.notices };
    case 'text':
      return { __typename: 'TextDelta', text: event.delta };
    case 'citation':
      return { __typename: 'CitationFound', citation: graphCitation(event.citation) };
    case 'done':
      return { __typename: 'Done', found: event.found, model: event.model, notices: event.notices };
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

const graphHit = ({ paragraph, score, relevance, why }: SearchHit) => ({
  paragraph: graphParagraph(paragraph),
  score,
  relevance,
  why: why.map((match) => ({ ...match, leg: match.leg.toUpperCase() })),
});

const graphCitation = ({ paragraph, ...rest }: Citation) => ({ ...rest, paragraph: graphParagraph(paragraph) });

interface GraphArguments {
  query?: unknown;
  first?: unknown;
  filter?: unknown;
  options?: {
    fusion?: string;
    rrfK?: number;
    weights?: Record<string, number | null>;
    [other: string]: unknown;
  } | null;
}

const legOf = (field: string): Leg => Leg.parse(field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));

/** The arguments of the graph's `answer` as retrieval takes them: the same in the contracts' words. */
export const answerRequestOf = ({ query, first, filter, options }: GraphArguments): AnswerRequest => {
  const { fusion, rrfK, weights, ...others } = options ?? {};
  const request = AnswerRequest.safeParse({
    query,
    first: first ?? undefined,
    filter: filter ? withoutNulls(filter) : undefined,
    options: options
      ? {
          ...withoutNulls(others),
          ...(fusion ? { fusion: Fusion.parse(fusion.toLowerCase().replace('_', '-')) } : {}),
          ...(typeof rrfK === 'number' ? { k: rrfK } : {}),
          ...(weights ? { weights: weightsOf(weights) } : {}),
        }
      : undefined,
  });
  if (request.success) return request.data;
  const [issue] = request.error.issues;
  throw new CodedError('INPUT_INVALID', `${issue?.path.join('.')}: ${issue?.message}`, {
    field: issue?.path.join('.'),
  });
};

const weightsOf = (weights: Record<string, number | null>): Partial<Record<Leg, number>> =>
  Object.fromEntries(Object.entries(withoutNulls(weights)).map(([field, weight]) => [legOf(field), weight]));

const withoutNulls = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, part]) => part !== null && part !== undefined)) as T; // null is absent
