import type { Reading, Requests, TenantId } from '@postmaster/contracts';
import { type EncodedReading, encodeReading } from '../plan/encode-reading.js';
import type { LookUp } from './look-up.js';
import { singleFlight } from './single-flight.js';
import { tenantCache } from './tenant-cache.js';

export interface EncodedQuestion extends EncodedReading {
  /** It was encoded before, or for another who asks the same at this moment. */
  cached: boolean;
}

/** What of a reading is encoded. */
export type QuestionTexts = Pick<Reading, 'searchText' | 'variations'>;
export type EncodeQuestion = (tenant: TenantId, token: string, texts: QuestionTexts) => Promise<EncodedQuestion>;

/** Every question encoded for itself. */
export const encodeAnew = (requests: Pick<Requests, 'ask'>): EncodeQuestion => {
  const encode = encodeReading(requests);
  return async (_, token, texts) => ({ ...(await encode(token, texts)), cached: false });
};

export interface QuestionVectorPorts {
  requests: Pick<Requests, 'ask'>;
  onLookUp?: (lookUp: LookUp) => void;
  /** Milliseconds, of any origin. */
  now: () => number;
  entries?: number;
  bytes?: number;
}

/**
 * A vector depends on its texts and encoder alone, so no change of a document touches it. Which index serves a tenant is
 * asked again after this long: less than the time for which one that was switched away from still answers (30 s).
 */
const INDEX_KNOWN_MS = 10_000;
const VECTOR_LASTS_MS = 3_600_000;

/** The vectors of questions, kept by tenant, encoder and texts; equal questions at one moment are encoded once. */
export const questionVectors = ({
  requests,
  onLookUp,
  now,
  entries = 20_000,
  bytes = 64 * 1024 * 1024,
}: QuestionVectorPorts): EncodeQuestion => {
  const serving = tenantCache<{ index: string; encoder: string }>({
    ...{ entries, bytes, now, bytesOf: ({ index, encoder }) => 2 * (index.length + encoder.length) },
    lastsMs: () => INDEX_KNOWN_MS,
  });
  const vectors = tenantCache<Float32Array>({
    ...{ entries, bytes, now, bytesOf: (vector) => vector.byteLength },
    lastsMs: () => VECTOR_LASTS_MS,
  });
  const encode = encodeReading(requests);
  const fly = singleFlight<EncodedReading>();
  return async (tenant, token, texts) => {
    const asked = JSON.stringify([texts.searchText, ...texts.variations.map(({ text }) => text)]);
    const known = serving.get(tenant, '');
    const vector = known && vectors.get(tenant, keyOf(known.encoder, asked));
    if (known && vector) {
      onLookUp?.('hit');
      return { ...known, vector, cached: true };
    }
    const { making, joined } = fly(tenant, asked, now(), () => encode(token, texts));
    onLookUp?.(joined ? 'joined' : 'miss');
    const encoded = await making;
    if (!joined) {
      serving.set(tenant, '', { index: encoded.index, encoder: encoded.encoder });
      vectors.set(tenant, keyOf(encoded.encoder, asked), encoded.vector);
    }
    return { ...encoded, cached: joined };
  };
};

const keyOf = (encoder: string, asked: string): string => `${encoder}\n${asked}`;
