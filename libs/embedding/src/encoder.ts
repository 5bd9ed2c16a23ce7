/** Turns texts into vectors. Failures are CodedErrors: ENCODER_UNREACHABLE (try again), ENCODER_REFUSED (don't). */
export interface Encoder {
  /** "minilm:all-minilm-l6-v2-int8-1", "openai:bge-m3": vectors of different ids are never compared. */
  readonly id: string;
  readonly dimension: number;
  /** Longer text is refused with TextTooLongError, never cut in silence: windows are the caller's. */
  readonly maxTokens: number;
  readonly maxTextsPerCall: number;
  /** One unit-length vector per text, in order. A 'query' never waits behind 'passage' work. */
  embed(texts: readonly string[], as: 'query' | 'passage', signal?: AbortSignal): Promise<Float32Array[]>;
  /** The fewest equal pieces of a text, without overlap, that each fit maxTokens; the text itself where it fits. */
  windows(text: string): Promise<string[]>;
  /** While the hold lasts, 'passage' work pauses between texts; searches take one each. Safe to release twice. */
  hold(): () => void;
  close(): Promise<void>;
}

export class TextTooLongError extends Error {
  override readonly name = 'TextTooLongError';
  constructor(readonly facts: { encoder: string; maxTokens: number; tokens: number }) {
    super(`"${facts.encoder}" takes ${facts.maxTokens} tokens a text but was given ${facts.tokens}.`);
  }
}
