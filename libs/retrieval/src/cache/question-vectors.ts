import { encodeQuestion, type Requests, type TenantId } from '@postmaster/contracts';
import type { LookUp } from './remember.js';
import { singleFlight } from './single-flight.js';
import { tenantCache } from './tenant-cache.js';

export interface EncodedQuestion {
  index: string;
  encoder: string;
  vector: Float32Array;
  /** It was encoded before, or for another who asks the same at this moment. */
  cached: boolean;
}

export type EncodeQuestion = (tenant: TenantId, token: string, text: string) => Promise<EncodedQuestion>;

/** Every question encoded for itself. */
export const encodeAnew =
  (requests: Pick<Requests, 'ask'>): EncodeQuestion =>
  async (_, token, text) => ({ ...(await requests.ask(encodeQuestion, token, { text })), cached: false });

export interface QuestionVectorPorts {
  requests: Pick<Requests, 'ask'>;
  onLookUp?: (lookUp: LookUp) => void;
  /** Milliseconds, of any origin. */
  now: () => number;
  entries?: number;
  bytes?: number;
}

/**
 * A vector depends on its text and encoder alone, so no change of a document touches it. Which index serves a tenant is
 * asked again after this long: less than the time for which one that was switched away from still answers (30 s).
 */
const INDEX_KNOWN_MS = 10_000;
const VECTOR_LASTS_MS = 3_600_000;

/** The vectors of questions, kept by tenant, encoder and text; equal questions at one moment are encoded once. */
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
  const fly = singleFlight<Omit<EncodedQuestion, 'cached'>>();
  return async (tenant, token, text) => {
    const known = serving.get(tenant, '');
    const vector = known && vectors.get(tenant, keyOf(known.encoder, text));
    if (known && vector) {
      onLookUp?.('hit');
      return { ...known, vector, cached: true };
    }
    const { making, joined } = fly(tenant, text, now(), () => requests.ask(encodeQuestion, token, { text }));
    onLookUp?.(joined ? 'joined' : 'miss');
    const encoded = await making;
    if (!joined) {
      serving.set(tenant, '', { index: encoded.index, encoder: encoded.encoder });
      vectors.set(tenant, keyOf(encoded.encoder, text), encoded.vector);
    }
    return { ...encoded, cached: joined };
  };
};

const keyOf = (encoder: string, text: string): string => `${encoder}\n${text}`;
