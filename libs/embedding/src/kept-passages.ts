import { hashOf, setWithin } from '@postmaster/contracts';
import type { Encoder } from './encoder.js';

export interface KeptPassagesPorts {
  /** Hears of each passage whether its vector was there. */
  onLookUp?: (lookUp: 'hit' | 'miss') => void;
  /** Milliseconds, of any origin. */
  now?: () => number;
  bytes?: number;
}

/** About 8,700 vectors of the bundled encoder. */
const BYTES = 16 * 1024 * 1024;
/** Of an entry, beside its vector. */
const ENTRY_BYTES = 400;
const LASTS_MS = 600_000;

/**
 * An encoder that has the vectors of its last passages: questions of facets are compared with their paragraphs before
 * they count, and are indexed soon after. They are kept by their text's hash alone, whosever it is, as a vector follows
 * from the text; for ten minutes and in the memory of this process. One passage that two ask for is encoded once.
 */
export const keptPassages = (
  encoder: Encoder,
  { onLookUp, now = Date.now, bytes = BYTES }: KeptPassagesPorts = {},
): Encoder => {
  const most = Math.floor(bytes / (4 * encoder.dimension + ENTRY_BYTES));
  const kept = new Map<string, { at: number; vector: Promise<Float32Array> }>();

  const dropOld = (): void => {
    for (const [key, { at }] of kept)
      if (now() - at < LASTS_MS) return;
      else kept.delete(key);
  };

  /** By key, of those that are not there; forgotten where the encoder fails. */
  const encode = (missing: ReadonlyMap<string, string>): Map<string, Promise<Float32Array>> => {
    const made = encoder.embed([...missing.values()], 'passage');
    const entries = [...missing.keys()].map((key, i) => {
      const vector = made.then((vectors) => vectors[i]!);
      const entry = { at: now(), vector };
      setWithin(kept, most, key, entry);
      vector.catch(() => kept.get(key) === entry && kept.delete(key));
      return [key, vector] as const;
    });
    return new Map(entries);
  };

  return {
    id: encoder.id,
    dimension: encoder.dimension,
    maxTokens: encoder.maxTokens,
    maxTextsPerCall: encoder.maxTextsPerCall,
    embed: async (texts, as, signal) => {
      if (as === 'query' || signal) return encoder.embed(texts, as, signal);
      dropOld();
      const keyed = texts.map((text) => [hashOf(text), text] as const);
      const found = new Map(keyed.map(([key]) => [key, kept.get(key)?.vector]));
      for (const [key] of keyed) onLookUp?.(found.get(key) ? 'hit' : 'miss');
      const missing = new Map(keyed.filter(([key]) => !found.get(key)));
      const made = missing.size > 0 ? encode(missing) : new Map<string, Promise<Float32Array>>();
      return Promise.all(keyed.map(([key]) => (found.get(key) ?? made.get(key))!));
    },
    windows: (text) => encoder.windows(text),
    hold: () => encoder.hold(),
    close: () => encoder.close(),
  };
};
