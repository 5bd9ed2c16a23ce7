import type { TokenUsage } from '../facet-model.js';
import type { TaskPrompt } from '../prompt/compose-prompt.js';
import type { DocumentText } from './document-text.js';
import type { MetadataReply } from './metadata-reply.js';

/** A document to be read, and what is asked of it: the shipped prompt of its language unless told. */
export type MetadataAsked = Pick<DocumentText, 'title' | 'text' | 'language'> & { prompt?: TaskPrompt };

/**
 * Reads the metadata of a document in one call. Failures are CodedErrors: MODEL_UNREACHABLE, MODEL_REFUSED, MODEL_MALFORMED,
 * MODEL_DECLINED, MODEL_TEXT_TOO_LONG.
 */
export interface MetadataModel {
  /** "openai:gpt-4o-mini" */
  readonly id: string;
  readonly promptVersion: string;
  /**
   * One structured call about a text of MOST_READ code points at most. What it says counts only as far as the text has it.
   * `model` is who answered, where that is a fallback.
   */
  readMetadata(
    document: MetadataAsked,
    signal?: AbortSignal,
  ): Promise<{ reply: MetadataReply; usage: TokenUsage; model?: string }>;
}

/** Of a document, its first pages: with a prompt of about 1,000 tokens it fits a window of 8,192. */
export const MOST_READ = 12_000;
