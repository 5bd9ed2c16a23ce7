import type { Measured } from '../measure-set.js';
import type { EvaluationSet } from '../read-set.js';
import { crossValidate, FOLDS, type TunedQuestion } from './cross-validate.js';
import { separateDocuments } from './document-folds.js';
import { rankByWeights } from './rank-by-weights.js';
import type { TuneReport } from './tune-report.js';

/** Ten held-out questions a fold: with fewer, an interval tells nothing that is not far apart. */
export const LEAST_QUESTIONS = 50;
export const LEAST_DOCUMENTS = FOLDS;

/** A set that is too small to tell a better fit from luck. */
export class SetTooSmallError extends Error {
  override readonly name = 'SetTooSmallError';
  constructor(
    readonly set: string,
    readonly questions: number,
    readonly documents: number,
  ) {
    super(
      `"${set}" has ${questions} questions with a right paragraph, over ${documents} documents that no question joins; fitting takes at least ${LEAST_QUESTIONS} over ${LEAST_DOCUMENTS}.`,
    );
  }
}

/** Throws SetTooSmallError. */
export const checkLargeEnough = (set: EvaluationSet): void => {
  const documents = rightDocuments(set).filter((own) => own.length > 0);
  const separate = separateDocuments(documents);
  if (documents.length < LEAST_QUESTIONS || separate < LEAST_DOCUMENTS)
    throw new SetTooSmallError(set.name, documents.length, separate);
};

/**
 * Leg weights fitted on a set that was measured with its candidates, and whether they beat the default on questions that
 * they were not fitted on. No search is asked for again.
 */
export const tuneWeights = (
  { set, facts, answers }: Measured,
  { seed, commit }: Pick<TuneReport, 'seed' | 'commit'>,
): TuneReport => {
  const documents = rightDocuments(set);
  const questions = set.queries.flatMap((_, at): TunedQuestion[] => {
    const { candidates, weights: defaults = facts.weights } = answers.get(at) ?? {};
    const own = documents[at]!;
    if (!candidates || own.length === 0) return [];
    return [{ documents: own, defaults, ndcgBy: rankByWeights(candidates, set.judged[at]!, facts.perLeg) }];
  });
  return {
    set: set.name,
    paragraphs: set.paragraphs.length,
    ...crossValidate(questions, seed),
    encoder: { id: facts.encoder, hash: facts.encoderHash },
    facets: set.recorded ? 'recorded' : 'made',
    seed,
    commit,
    data: set.hashes,
  };
};

/** For each query, the documents of its right paragraphs. */
const rightDocuments = ({ paragraphs, judged }: EvaluationSet): string[][] => {
  const documentOf = new Map(paragraphs.map(({ id, document }) => [id, document]));
  return judged.map((grades) => [
    ...new Set([...grades].filter(([, grade]) => grade > 0).map(([id]) => documentOf.get(id)!)),
  ]);
};
