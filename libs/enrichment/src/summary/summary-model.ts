import type { TokenUsage } from '../facet-model.js';

/** What a document says: a few points, and the same in one paragraph. */
export interface DocumentSummary {
  points: string[];
  paragraph: string;
}

/** A text, or of a long one the summaries of its parts, in order. */
export interface SummaryInput {
  title: string;
  /** ISO 639-1 of the document, which its summary is written in; null: whatever the text is in. */
  language: string | null;
  points: number;
  text: string | readonly DocumentSummary[];
}

/** Sums up documents. Failures are CodedErrors: MODEL_UNREACHABLE, MODEL_REFUSED, MODEL_MALFORMED. */
export interface DocumentSummaryModel {
  /** "openai:gpt-4o-mini" */
  readonly id: string;
  readonly promptVersion: string;
  /**
   * One structured call about a text of PART code points at most. What it says counts only as far as the text bears it
   * out. `model` is who answered, where that is a fallback.
   */
  summarizeDocument(
    input: SummaryInput,
    signal?: AbortSignal,
  ): Promise<{ reply: DocumentSummary; usage: TokenUsage; model?: string }>;
}
