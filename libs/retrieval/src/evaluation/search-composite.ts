import {
  encodeQuestion,
  entityParagraphs,
  livingParagraphs,
  type Requests,
  type SearchHit,
  type SearchOptions,
} from '@postmaster/contracts';
import type { Candidate, CandidateStore } from '../candidate-store.js';
import { DEFAULT_FIRST } from '../check-request.js';
import { search, type SearchPorts } from '../search.js';
import type { EvaluationPlace, Scores } from './rank-ways.js';

export interface EncodedQuestion {
  text: string;
  vector: Float32Array;
  encoder: string;
}

export interface SearchedComposite {
  hits: SearchHit[];
  /** Without the encoding. */
  ms: number;
  /** What the search found in the store. */
  scores: Scores & { candidates: readonly Candidate[] };
}

/**
 * The search of production, on an evaluation's points: the question is encoded already, and no document owns what is
 * found. What it read of the store is told beside its hits.
 */
export const searchComposite = async (
  ports: SearchPorts,
  { tenant, graph }: EvaluationPlace,
  index: string,
  { text, vector, encoder }: EncodedQuestion,
  token: string,
  most: number,
  weights: SearchOptions['weights'] = {},
): Promise<SearchedComposite> => {
  const read: SearchedComposite['scores'] = { lists: {}, candidates: [] };
  const store: CandidateStore = {
    candidates: async (...asked) => (read.lists = await ports.store.candidates(...asked)),
    complete: async (...asked) => (read.candidates = await ports.store.complete(...asked)),
    read: (...asked) => ports.store.read(...asked),
  };
  const requests = { ...ports.requests, ask: answering(ports.requests, { index, encoder, vector }, graph) };
  // judgements name paragraphs: one that folds into its like would count as missed
  const options = { foldDuplicates: false, summaries: false, weights };
  const request = { query: text, first: Math.max(DEFAULT_FIRST, most), options };
  const { hits, tookMs } = await search({ ...ports, store, requests })(tenant, token, request);
  return { hits, ms: tookMs, scores: read };
};

const answering = (
  requests: Requests,
  encoded: { index: string; encoder: string; vector: Float32Array },
  graph: string | undefined,
): Requests['ask'] =>
  (async (type, token, input) => {
    if (type.subject === encodeQuestion.subject) return encoded;
    if (type.subject === livingParagraphs.subject) return { living: livingParagraphs.input.parse(input).ids };
    if (type.subject === entityParagraphs.subject)
      return requests.ask(entityParagraphs, token, { ...entityParagraphs.input.parse(input), graph });
    return requests.ask(type, token, input);
  }) as Requests['ask']; // the subject decides the reply's shape, which the compiler can't follow
