import type { OnPaid } from './ledger/model-ledger.js';

/** An answer model's whole reply where its sources answer nothing; never shown to a person. */
export const NOT_FOUND = 'NOT_FOUND';

/** Paragraphs that follow each other in a document; an answer cites each by its own marker, as [n]. */
export interface Source {
  title: string;
  trail: readonly string[];
  paragraphs: readonly { marker: number; text: string }[];
}

/** Writes an answer from numbered sources. Failures are CodedErrors: MODEL_UNREACHABLE, MODEL_REFUSED, MODEL_MALFORMED. */
export interface AnswerModel {
  /** "openai:gpt-4o-mini", "ollama:llama3.2" */
  readonly id: string;
  /** Changes with what it is told to do; answers of different versions are different. */
  readonly promptVersion?: string;
  /**
   * Pieces of the answer's text as they come, with citations as [n]. `language` is the question's, ISO 639-1. `onWriter`
   * hears, before the first piece, which model writes: a fallback of this one may. `onPaid` hears when the answer ends,
   * also by a caller who leaves: of a server that does not tell, it is estimated from the texts.
   */
  write(
    question: string,
    sources: readonly Source[],
    language: string,
    signal?: AbortSignal,
    onWriter?: (model: string) => void,
    onPaid?: OnPaid,
  ): AsyncIterable<string>;
}
