import type { Source } from './answer-model.js';
import type { OnPaid } from './ledger/model-ledger.js';

/** Sums up numbered sources. Failures are CodedErrors: MODEL_UNREACHABLE, MODEL_REFUSED, MODEL_MALFORMED. */
export interface SummaryModel {
  readonly id: string;
  /** At most `points` lines, each one point with citations as [n], as they come. `language` is ISO 639-1. */
  summarize(
    points: number,
    sources: readonly Source[],
    language: string,
    signal?: AbortSignal,
    onPaid?: OnPaid,
  ): AsyncIterable<string>;
}
