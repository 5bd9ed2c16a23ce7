import type { HitParagraph } from '@postmaster/contracts';
import type { OnPaid } from './ledger/model-ledger.js';

/** A grade with its reason: the reason comes first, as what is reasoned out is graded better. */
export interface Graded {
  reason: string;
  /** 1 (beside the question, or borne out by nothing) … 10 (answers all of it, and all is borne out). */
  grade: number;
}

export type JudgedParagraph = Pick<HitParagraph, 'title' | 'trail' | 'text'>;

/**
 * Grades on a scale of 1 to 10, with the reason in the language given (ISO 639-1). Failures are CodedErrors:
 * MODEL_UNREACHABLE, MODEL_REFUSED, MODEL_MALFORMED, where a grade off the scale counts as malformed.
 */
export interface GradeModel {
  readonly id: string;
  /** How well the paragraph answers the question. */
  judge(
    question: string,
    paragraph: JudgedParagraph,
    language: string,
    signal?: AbortSignal,
    onPaid?: OnPaid,
  ): Promise<Graded>;
  /** How well the answer answers the question, and how far its sources bear it out. */
  judgeAnswer(
    question: string,
    answer: string,
    sources: readonly JudgedParagraph[],
    language: string,
    signal?: AbortSignal,
    onPaid?: OnPaid,
  ): Promise<Graded>;
}
