import type { OnPaid, PaidCalls, RerankPassage, RerankQuestion, Reranker, RerankScore } from '@postmaster/retrieval';

/** A reranker in memory, which does as it is told: `scoreOf` by default counts the question's words in a passage. */
export class FakeReranker implements Reranker {
  readonly id = 'fake:reranker';
  maxTextsPerCall = 1_000;
  readonly maxTokens = 512;
  /** The texts of each call, in order. */
  readonly calls: string[][] = [];
  /** Calls that were ended by their signal. */
  aborted = 0;
  scoreOf: (question: string, text: string) => number = sharedWords;
  verdictOf: ((question: string, text: string) => RerankScore['verdict']) | undefined;
  /** What each call takes. */
  paid: PaidCalls | undefined;
  /** What a call meets instead of an answer: an error, silence, or scores of another number. */
  fault: Error | 'silent' | 'too few' | undefined;

  async rerank(
    { text: question }: RerankQuestion,
    passages: readonly RerankPassage[],
    signal?: AbortSignal,
    onPaid?: OnPaid,
  ): Promise<readonly RerankScore[]> {
    this.calls.push(passages.map(({ text }) => text));
    if (this.fault instanceof Error) throw this.fault;
    if (this.fault === 'silent')
      return new Promise((_, reject) =>
        signal?.addEventListener('abort', () => {
          this.aborted++;
          reject(signal.reason as Error);
        }),
      );
    if (this.paid) onPaid?.(this.paid);
    const scores = passages.map(({ text }) => ({
      score: this.scoreOf(question, text),
      verdict: this.verdictOf?.(question, text),
    }));
    return this.fault === 'too few' ? scores.slice(1) : scores;
  }

  async close(): Promise<void> {
    this.fault = new Error('closed');
  }
}

const sharedWords = (question: string, text: string): number => {
  const words = new Set(text.toLowerCase().match(/\p{L}+/gu));
  return (question.toLowerCase().match(/\p{L}+/gu) ?? []).filter((word) => words.has(word)).length;
};
