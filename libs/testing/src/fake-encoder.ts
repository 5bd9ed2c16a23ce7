import { CodedError } from '@postmaster/contracts';
import { type Encoder, TextTooLongError } from '@postmaster/embedding';
import { wordVector } from './word-vector.js';

/** An encoder whose vectors are sums of hashed words; a word is a token. It keeps what it was given. */
export class FakeEncoder implements Encoder {
  readonly maxTextsPerCall = 64;
  /** Every text that was encoded, in order. */
  readonly encoded: string[] = [];
  /** Thrown by every call while it is set. */
  failure: CodedError | undefined;

  constructor(
    readonly id = 'fake:words-1',
    readonly dimension = 16,
    readonly maxTokens = 64,
  ) {}

  async embed(texts: readonly string[]): Promise<Float32Array[]> {
    if (this.failure) throw this.failure;
    return texts.map((text) => {
      const tokens = wordsOf(text).length;
      if (tokens > this.maxTokens) throw new TextTooLongError({ encoder: this.id, maxTokens: this.maxTokens, tokens });
      this.encoded.push(text);
      const sum = wordVector(text, this.dimension);
      const length = Math.hypot(...sum) || 1;
      return Float32Array.from(sum, (value) => value / length);
    });
  }

  async windows(text: string): Promise<string[]> {
    const words = wordsOf(text);
    const count = Math.ceil(words.length / this.maxTokens);
    if (count <= 1) return [text];
    const size = Math.ceil(words.length / count);
    return Array.from({ length: count }, (_, i) => words.slice(i * size, (i + 1) * size).join(' '));
  }

  hold = (): (() => void) => () => {};

  async close(): Promise<void> {}
}

const wordsOf = (text: string): string[] => text.split(/\s+/).filter(Boolean);
