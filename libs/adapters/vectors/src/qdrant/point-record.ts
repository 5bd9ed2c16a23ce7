import { MULTI_VECTORS, type MultiVector, type NamedVector, NAMED_VECTORS, type TenantId } from '@postmaster/contracts';
import type { Schemas } from '@qdrant/js-client-rest';
import { milliseconds } from '../dates.js';
import { metadataPairs } from '../metadata-pairs.js';
import { type StoredPoint, termsOf } from '../stored-point.js';
import { wordsOf } from '../text-words.js';
import type { IndexedField } from './collection-schema.js';
import { textWeights } from './lexical-weights.js';
import { packVector } from './packed-questions.js';
import { pointId } from './point-id.js';
import { wellFormed } from './well-formed.js';

/** A point's payload in Qdrant: what filters go by, each in a field of its own, and the rest. */
export type PointRecord = { [F in IndexedField]?: string | number | boolean | string[] } & {
  id: string;
  revision: number;
  /** A UUID of the write that made it so: who writes on the strength of what was read names it. */
  write: string;
  /** The payload as it was given, JSON: exact, and with texts in it that the store's own JSON reader refuses. */
  point: string;
  /** A hash of the texts that the vectors of its facets were made of. */
  made_of?: string;
  /** The vectors of the questions, packed. */
  questions: Record<MultiVector, string[]>;
};

/** The payload of a point; `kept` questions where its vectors were not read. */
export const pointRecord = (
  tenant: TenantId,
  { id, revision, payload, vectors, madeOf }: StoredPoint,
  write: string,
  kept?: PointRecord['questions'],
): PointRecord => ({
  ...present({
    collection: payload.collection === null ? null : wellFormed(payload.collection),
    language: payload.language === null ? null : wellFormed(payload.language),
    created_at: milliseconds(payload.createdAt),
    added_at: milliseconds(payload.addedAt),
  }),
  tenant,
  id,
  revision,
  write,
  active: payload.active,
  document: wellFormed(payload.document),
  position: payload.position,
  source_type: wellFormed(payload.sourceType),
  content_type: wellFormed(payload.contentType),
  title_words: [...new Set(wordsOf(payload.title))],
  metadata_pairs: metadataPairs(payload.metadata),
  point: JSON.stringify(payload),
  made_of: madeOf,
  questions: kept ?? {
    simple_questions: vectors.simple_questions.map(packVector),
    complex_questions: vectors.complex_questions.map(packVector),
  },
});

/** A whole point as it is upserted. */
export const pointStruct = (tenant: TenantId, point: StoredPoint, write: string): Schemas['PointStruct'] => {
  const vector: Record<string, number[] | number[][] | Schemas['SparseVector']> = {};
  for (const name of NAMED_VECTORS) {
    const all = point.vectors[name].map(numbers);
    const [one] = all;
    if (one) vector[name] = isMulti(name) ? all : one;
  }
  const lexical = textWeights(termsOf(point.payload));
  if (lexical) vector.lexical = lexical;
  return { id: pointId(tenant, point.id), vector, payload: pointRecord(tenant, point, write) };
};

/** The vectors that came with a point, by name; a name that was not asked for is as one without vectors. */
export const vectorsIn = (vector: unknown): StoredPoint['vectors'] => {
  const given = (vector ?? {}) as Record<string, number[] | number[][] | undefined>; // as the collection's schema says
  const of = (name: NamedVector): Float32Array[] => {
    const found = given[name];
    if (!found) return [];
    return (isMulti(name) ? (found as number[][]) : [found as number[]]).map((one) => Float32Array.from(one));
  };
  return {
    paragraph: of('paragraph'),
    simple_questions: of('simple_questions'),
    complex_questions: of('complex_questions'),
    context: of('context'),
    scope: of('scope'),
  };
};

const isMulti = (name: NamedVector): name is MultiVector => MULTI_VECTORS.some((multi) => multi === name);

/** Eight decimals, which a float32 of a unit-length vector has; all of its binary digits would be twice the bytes. */
const numbers = (vector: Float32Array): number[] => Array.from(vector, (value) => Math.round(value * 1e8) / 1e8);

const present = (fields: Record<string, string | number | null>): Record<string, string | number> =>
  Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, string | number] => entry[1] !== null));
