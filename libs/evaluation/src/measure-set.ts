import {
  type AskEvaluation,
  type EvaluatedQuestion,
  EVALUATION_LIMITS,
  type EvaluationCollection,
  type EvaluationFacts,
  type EvaluationParagraph,
  type EvaluationWay,
  type ModelUsage,
} from '@postmaster/contracts';
import type { z } from 'zod';
import type { EvaluationSet, RecordedFacets, SetParagraph } from './read-set.js';
import { seededRandom, shuffled } from './seeded-random.js';

/** The running system that is measured. */
export interface EvaluationServer {
  begin(collections: readonly EvaluationCollection[]): Promise<EvaluationFacts>;
  add(id: string, paragraphs: readonly EvaluationParagraph[]): Promise<{ usage: ModelUsage }>;
  ask(id: string, asked: z.input<typeof AskEvaluation>): Promise<EvaluatedQuestion[]>;
  drop(id: string): Promise<unknown>;
}

export interface MeasureOptions {
  /** Those that the server has are asked; all where absent. Composite always is. */
  ways?: readonly EvaluationWay[];
  /** So many questions, chosen by the seed; all where absent. */
  limit?: number;
  seed: number;
  /** Composite's candidates with their scores, too. */
  candidates?: boolean;
  /** Told after each batch. */
  onProgress?: (phase: 'paragraphs' | 'questions', done: number, of: number) => void;
}

export interface Measured {
  set: EvaluationSet;
  facts: EvaluationFacts;
  ways: EvaluationWay[];
  /** By the query's place in the set; those that were not asked are absent. */
  answers: ReadonlyMap<number, EvaluatedQuestion>;
  /** Of the facets that were made for it. */
  enrichment: ModelUsage;
  /** Questions whose ways were timed one by one. */
  timed: number;
}

/** So many questions are asked by each way alone, for its own time; the others by all ways together. */
const TIMED = 100;
const TIMED_BATCH = 8;
/** A language model may take a minute for a question, and a request waits little more than two. */
const MODEL_BATCH = 2;
const FACETS_A_BATCH = 4;
const RANKED = 100;
const HITS = 3;
/** Beyond so many paragraphs, fusing all of them for each question is left out unless it is asked for; so is the leg of entities. */
const EXACT_UP_TO = 2_000;

/** Brings a set into an index of its own, asks every question by every way, and drops the index, whatever happens. */
export const measureSet =
  (server: EvaluationServer) =>
  async (set: EvaluationSet, options: MeasureOptions): Promise<Measured> => {
    const { onProgress = () => undefined } = options;
    const facts = await server.begin(collectionsOf(options.ways));
    try {
      const enrichment = await addAll(server, facts.id, set, onProgress);
      const ways = waysOf(facts, set, options.ways);
      const order = shuffled([...set.queries.keys()], seededRandom(options.seed)).slice(0, options.limit);
      const timed = Math.min(TIMED, order.length);
      const answers = new Map<number, EvaluatedQuestion>();
      const ask = async (places: readonly number[], alone: boolean): Promise<void> => {
        const questions = places.map((at) => ({ id: String(at), text: set.queries[at]!.text }));
        const { candidates } = options;
        const asked = { questions, ways, first: RANKED, hits: HITS, timed: alone, candidates };
        for (const answer of await server.ask(facts.id, asked)) answers.set(Number(answer.id), answer);
        onProgress('questions', answers.size, order.length);
      };
      const split = order.length - timed; // the timed ones last, when all is warm
      const most = ways.includes('hyde') ? MODEL_BATCH : EVALUATION_LIMITS.questionsABatch;
      const together = batches(order.slice(0, split), most).values();
      const askOn = async (): Promise<void> => {
        for (const batch of together) await ask(batch, false);
      };
      await Promise.all([askOn(), askOn()]);
      for (const batch of batches(order.slice(split), Math.min(most, TIMED_BATCH))) await ask(batch, true);
      return { set, facts, ways, answers, enrichment, timed };
    } finally {
      await server.drop(facts.id).catch(() => undefined); // it goes by itself within the hour
    }
  };

const COLLECTION_OF: Partial<Record<EvaluationWay, EvaluationCollection>> = {
  bm25: 'plain',
  'hybrid-rrf': 'plain',
  'hybrid-weighted': 'plain',
  'hybrid-weighted-equal': 'plain',
  'contextual-rrf': 'contextual',
  'contextual-weighted': 'contextual',
  'contextual-weighted-equal': 'contextual',
  'questions-joined': 'joined',
};

const collectionsOf = (ways: readonly EvaluationWay[] | undefined): EvaluationCollection[] =>
  ways
    ? [...new Set<EvaluationCollection>(['composite', ...ways.map((way) => COLLECTION_OF[way] ?? 'composite')])]
    : ['composite', 'plain', 'contextual', 'joined'];

const waysOf = (
  { ways }: EvaluationFacts,
  { paragraphs }: EvaluationSet,
  wanted: readonly EvaluationWay[] | undefined,
): EvaluationWay[] =>
  ways.filter((way) =>
    wanted
      ? way === 'composite' || wanted.includes(way)
      : way !== 'with-entities' && (way !== 'composite-exact' || paragraphs.length <= EXACT_UP_TO),
  );

const addAll = async (
  server: EvaluationServer,
  id: string,
  { paragraphs, recorded }: EvaluationSet,
  onProgress: NonNullable<MeasureOptions['onProgress']>,
): Promise<ModelUsage> => {
  const total: ModelUsage = { calls: 0, inputTokens: 0, outputTokens: 0 };
  const all = paragraphs.map((paragraph, at) => bodyOf(paragraph, recorded?.[at]));
  let done = 0;
  for (const batch of batchesOfText(all, recorded ? EVALUATION_LIMITS.paragraphsABatch : FACETS_A_BATCH)) {
    const { usage } = await server.add(id, batch);
    total.calls += usage.calls;
    total.inputTokens += usage.inputTokens;
    total.outputTokens += usage.outputTokens;
    onProgress('paragraphs', (done += batch.length), all.length);
  }
  return total;
};

const bodyOf = (paragraph: SetParagraph, facets: RecordedFacets | undefined): EvaluationParagraph => ({
  ...paragraph,
  ...(facets && {
    facets: {
      simpleQuestions: facets.simple_questions,
      complexQuestions: facets.complex_questions,
      context: facets.context,
      scope: facets.scope,
    },
  }),
});

const batches = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));

/** At most `most` paragraphs, and no more text than a request may bring. */
function* batchesOfText(paragraphs: readonly EvaluationParagraph[], most: number): Generator<EvaluationParagraph[]> {
  let batch: EvaluationParagraph[] = [];
  let characters = 0;
  for (const paragraph of paragraphs) {
    const own = JSON.stringify(paragraph).length;
    if (batch.length === most || (batch.length > 0 && characters + own > EVALUATION_LIMITS.batchCharacters)) {
      yield batch;
      [batch, characters] = [[], 0];
    }
    batch.push(paragraph);
    characters += own;
  }
  if (batch.length > 0) yield batch;
}
