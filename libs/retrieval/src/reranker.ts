import type { Verdict } from '@postmaster/contracts';
import type { OnPaid } from './ledger/model-ledger.js';

export interface RerankQuestion {
  text: string;
  /** ISO 639-1; null where it can't be told. */
  language: string | null;
}

export interface RerankPassage {
  title: string;
  /** The headings above it, outermost first. */
  trail: readonly string[];
  text: string;
}

export interface RerankScore {
  /** Greater is better, comparable within one question: on a scale of the reranker's own. */
  score: number;
  /** What a judge says. */
  verdict?: Verdict;
}

/**
 * Reads question and passage together, which tells more than comparing their vectors and takes longer. Failures are
 * CodedErrors: RERANKER_UNREACHABLE, RERANKER_REFUSED, RERANKER_MALFORMED, and the codes of a language model where it
 * is one. Nothing is taken for granted of its scores: who calls it checks them.
 */
export interface Reranker {
  /** "cohere:rerank-v3.5", "onnx:my-cross-encoder", "judge:openai:gpt-4o-mini" */
  readonly id: string;
  /** Passages that one call takes; more are the caller's to share out. */
  readonly maxTextsPerCall: number;
  /** Of question and passage together; a longer passage is read in windows, of which the best counts. */
  readonly maxTokens: number;
  /** One score per passage, in order. Ends soon after the signal aborts, with its reason. `onPaid` hears of a language model's replies. */
  rerank(
    question: RerankQuestion,
    passages: readonly RerankPassage[],
    signal?: AbortSignal,
    onPaid?: OnPaid,
  ): Promise<readonly RerankScore[]>;
  close(): Promise<void>;
}
