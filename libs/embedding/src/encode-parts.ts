import { embedWhole } from './embed-whole.js';
import type { Encoder } from './encoder.js';
import type { PointPatch, PointVectors } from './point-store.js';
import type { Target } from './rows/indexes.js';
import type { Projection, Written } from './rows/projection.js';

export type Part = 'text' | 'facets';

/** The vectors of one paragraph that some index lacks. */
interface Encoded {
  projection: Projection;
  text?: { vectors: PointVectors; windows: number };
  facets?: PointVectors;
}

/** The parts that an index lacks of a paragraph. */
export const lacks = (
  { written, textHash, facets, facetsRevision }: Projection,
  target: Target,
): Record<Part, boolean> => {
  const marks = written(target);
  return { text: marks.text !== textHash, facets: facets !== null && marks.facets !== facetsRevision };
};

/** Vectors of this encoder that are known, by paragraph and text. */
export type KnownVectors = ReadonlyMap<string, ReadonlyMap<string, Float32Array>>;

/**
 * One call of the encoder for all the texts that one of the indexes lacks: what two lack is encoded once. Texts of facets
 * whose vectors are known are not encoded again.
 */
export const encodeParts = async (
  encoder: Encoder,
  projections: readonly Projection[],
  parts: readonly Part[],
  targets: readonly Target[],
  known: KnownVectors = new Map(),
): Promise<Encoded[]> => {
  const texts: string[] = [];
  const take = (text: string): number => texts.push(text) - 1;
  const plans = projections.map((projection) => {
    const { id, payload } = projection;
    const facet = (text: string): Float32Array | number => known.get(id)?.get(text) ?? take(text);
    const lacked = (part: Part): boolean =>
      parts.includes(part) && targets.some((target) => lacks(projection, target)[part]);
    return {
      projection,
      text: lacked('text') ? take(projection.words ?? payload.text) : undefined,
      facets: lacked('facets')
        ? {
            simple_questions: payload.simpleQuestions.map(facet),
            complex_questions: payload.complexQuestions.map(facet),
            context: payload.context ? facet(payload.context) : null,
            scope: payload.scope ? facet(payload.scope) : null,
          }
        : undefined,
    };
  });
  const embedded = texts.length > 0 ? await embedWhole(encoder, texts, 'passage') : [];
  const vector = (i: Float32Array | number): Float32Array => {
    if (typeof i !== 'number') return i;
    const one = embedded[i];
    if (!one) throw new Error(`The encoder gave ${embedded.length} vectors for ${texts.length} texts.`);
    return one.vector;
  };
  return plans.map(({ projection, text, facets }) => ({
    projection,
    ...(text !== undefined && {
      text: { vectors: { paragraph: vector(text) }, windows: embedded[text]?.windows ?? 1 },
    }),
    ...(facets && {
      facets: {
        simple_questions: facets.simple_questions.map(vector),
        complex_questions: facets.complex_questions.map(vector),
        context: facets.context === null ? null : vector(facets.context),
        scope: facets.scope === null ? null : vector(facets.scope),
      },
    }),
  }));
};

/** What is put into one index, and what is noted of it then. */
export const patchFor = (
  { projection, text, facets }: Encoded,
  target: Target,
): { patch: PointPatch; written: Written } => {
  const lacked = lacks(projection, target);
  const { id, revision, payload, words, textHash, facetsRevision } = projection;
  const newText = lacked.text ? text : undefined;
  const newFacets = lacked.facets ? facets : undefined;
  return {
    patch: {
      id,
      revision: Number(revision),
      payload,
      vectors: { ...newText?.vectors, ...newFacets },
      ...(newText && { words }),
    },
    written: {
      id,
      revision,
      ...(newText && { text: textHash, windows: newText.windows }),
      ...(newFacets && { facets: facetsRevision }),
    },
  };
};
