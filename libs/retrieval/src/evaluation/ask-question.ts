import {
  type AskEvaluation,
  CodedError,
  type EvaluatedQuestion,
  encodeQuestion,
  type EvaluationWay,
  type IdentitySeal,
  type SearchHit,
} from '@postmaster/contracts';
import { checkQuestion, DEFAULT_FIRST } from '../check-request.js';
import { defaultWeights } from '../default-weights.js';
import { FOUND } from '../relevance-calibration.js';
import type { SearchPorts } from '../search.js';
import { rankHyde } from './rank-hyde.js';
import { type EvaluationPlace, type PlannedWay, rankBy, rankShared, rankTimed } from './rank-ways.js';
import { type EncodedQuestion, searchComposite, type SearchedComposite } from './search-composite.js';
import { ablationPlans, compositePlan, exactPlan, WAY_PLANS, type WayPlan } from './way-plans.js';

export type AskQuestionPorts = SearchPorts & {
  now: () => number;
  /** Signs the caller's identity anew: an evaluation outlives its token. The caller's own is used unless told. */
  sign?: IdentitySeal['sign'];
};

/**
 * One question by each of the ways that are asked for: encoded once; composite by the search of production, and without
 * a leg by what that search read. Throws what a search throws.
 */
export const askQuestion =
  (ports: AskQuestionPorts, place: EvaluationPlace, request: AskEvaluation) =>
  async (token: string, { id, text }: AskEvaluation['questions'][number]): Promise<EvaluatedQuestion> => {
    const { now } = ports;
    const began = now();
    const question: EncodedQuestion = {
      text: checkQuestion(text),
      ...(await ports.requests.ask(encodeQuestion, token, { text: checkQuestion(text) })),
    };
    const encodeMs = now() - began;
    const weights = defaultWeights(question.encoder, ports.languageOf(question.text));
    const rivals = planned({ ...WAY_PLANS, 'composite-exact': exactPlan(weights) }, request.ways);
    const ways = request.timed
      ? await oneByOne(ports, place, request.first, question, rivals, encodeMs)
      : await rankShared(ports, place, request.first, question, rivals);
    if (request.ways.includes('hyde') && ports.planner) {
      const { ms, ...found } = await rankHyde(ports, place, request.first)(token, question.text);
      ways.hyde = { ...found, ms: request.timed ? ms : null };
    }
    if (request.ways.includes('with-entities')) {
      const searched = await searchComposite(
        ports,
        place,
        compositeOf(place),
        question,
        token,
        request.first,
        WITH_ENTITIES,
      );
      const ranked = searched.hits.map(({ paragraph }) => paragraph.id);
      ways['with-entities'] = { ranked, ms: request.timed ? encodeMs + searched.ms : null };
    }
    const ablations = planned(ablationPlans(weights), request.ways);
    if (!request.ways.includes('composite') && ablations.length === 0) return { id, ways, hits: [] };
    const searched = await searchComposite(ports, place, compositeOf(place), question, token, request.hits);
    for (const [way, plan] of ablations) ways[way] = { ranked: rankBy(plan, searched.scores, request.first), ms: null };
    ways.composite = {
      ranked: rankedBy(searched, compositePlan(weights), request.first),
      ms: request.timed ? encodeMs + searched.ms : null,
    };
    const relevance = Math.max(0, ...searched.hits.slice(0, DEFAULT_FIRST).map((hit) => hit.relevance));
    const candidates = searched.scores.candidates.map(({ id, scores }) => ({ id, scores }));
    return {
      ...{ id, ways, relevance, found: relevance >= FOUND, hits: searched.hits.slice(0, request.hits).map(hitOf) },
      ...(request.candidates && { candidates, weights: { ...weights } }),
    };
  };

const oneByOne = async (
  ports: AskQuestionPorts,
  place: EvaluationPlace,
  first: number,
  question: EncodedQuestion,
  plans: readonly PlannedWay[],
  encodeMs: number,
): Promise<EvaluatedQuestion['ways']> => {
  const ways: EvaluatedQuestion['ways'] = {};
  for (const [way, plan] of plans) {
    const { ranked, ms } = await rankTimed(ports, place, first)(question, plan);
    ways[way] = { ranked, ms: ms === null ? null : encodeMs + ms };
  }
  return ways;
};

/** The hits as the search gave them, and after them the rest of its candidates by their score. */
const rankedBy = ({ hits, scores }: SearchedComposite, plan: WayPlan, first: number): string[] => {
  const found = hits.map(({ paragraph }) => paragraph.id);
  return [...new Set([...found, ...rankBy(plan, scores, first)])].slice(0, first);
};

const planned = (
  plans: Readonly<Partial<Record<EvaluationWay, PlannedWay[1]>>>,
  ways: readonly EvaluationWay[],
): PlannedWay[] =>
  ways.flatMap((way) => {
    const plan = plans[way];
    return plan ? [[way, plan] as const] : [];
  });

const hitOf = ({ paragraph, ...rest }: SearchHit) => ({ paragraph: paragraph.id, ...rest });

/** What the leg of entities counts for where it is compared. */
const WITH_ENTITIES = { entities: 0.3 };

const compositeOf = ({ indexes: { composite } }: EvaluationPlace): string => {
  if (composite !== undefined) return composite;
  throw new CodedError('INPUT_INVALID', 'The evaluation was begun without the collection "composite".', {
    field: 'ways',
  });
};
