import type { TokenUsage } from '../facet-model.js';
import type { TaskPrompt } from '../prompt/compose-prompt.js';
import type { EntityReply } from './entity-reply.js';

/** Some paragraphs of a document, and what is asked of them: the shipped prompt of their language unless told. */
export interface EntitiesAsked {
  title: string;
  /** ISO 639-1; null where it isn't known. */
  language: string | null;
  texts: readonly string[];
  prompt?: TaskPrompt;
}

/**
 * Reads what paragraphs name, and how these things are related. Failures are CodedErrors: MODEL_UNREACHABLE,
 * MODEL_REFUSED, MODEL_MALFORMED, MODEL_DECLINED, MODEL_TEXT_TOO_LONG.
 */
export interface EntityModel {
  /** "openai:gpt-4o-mini" */
  readonly id: string;
  readonly promptVersion: string;
  /**
   * One structured call about several paragraphs, which the reply numbers from 1. What it says of one counts only as far
   * as that one's text has it. `model` is who answered, where that is a fallback.
   */
  readEntities(
    asked: EntitiesAsked,
    signal?: AbortSignal,
  ): Promise<{ reply: EntityReply; usage: TokenUsage; model?: string }>;
}
