import {
  FACET_VECTORS,
  hashOf,
  kindOf,
  type NamedVector,
  NAMED_VECTORS,
  type PointPayload,
} from '@postmaster/contracts';
import type { PointPatch } from '@postmaster/embedding';
import { bagOf, lexicalHashes, lexicalTerms, termHash, termsOfBag } from './lexical-terms.js';

/**
 * What is kept of a payload. `bag`: the words and codes of a text that is not, in the order of the alphabet, so that
 * terms can be made of them again; nobody reads the text out of it.
 */
export type StoredPayload = PointPayload & { bag?: string };

/** A point as its row holds it. A name without vectors has an empty list; one that isn't a list of questions has at most one. */
export interface StoredPoint {
  id: string;
  revision: number;
  payload: StoredPayload;
  vectors: Record<NamedVector, readonly Float32Array[]>;
  /** A hash of the texts that the vectors of its facets were made of. Absent: nobody knows. */
  madeOf?: string;
}

/** Whether its words count in what BM25 knows of a tenant: those of its active paragraphs do. */
export const isCounted = (payload: PointPayload): boolean => payload.active && kindOf(payload) === 'paragraph';

/** A point with the terms that are counted for it. */
export interface CountedPoint extends StoredPoint {
  terms: Uint32Array;
}

export const counted = (point: StoredPoint): CountedPoint => ({ ...point, terms: hashesOf(point.payload) });

/** The point after a patch: what the patch doesn't name stays. A point that facets reached before its text is inactive. */
export const patched = (point: StoredPoint | undefined, patch: PointPatch): StoredPoint => {
  const vectors = { ...(point?.vectors ?? NO_VECTORS) };
  for (const name of NAMED_VECTORS) {
    const given = patch.vectors?.[name];
    if (given !== undefined) vectors[name] = given === null ? [] : Array.isArray(given) ? given : [given];
  }
  const before = point?.payload;
  const payload = { ...(before ?? EMPTY_PAYLOAD), ...defined(patch.payload ?? {}) };
  return {
    id: patch.id,
    revision: patch.revision,
    payload: bagged(payload, patch.words ?? before?.text),
    vectors,
    madeOf: madeOfAfter(point, patch, payload),
  };
};

/** Known where vectors came with their texts, for as long as no vectors come without. */
const madeOfAfter = (
  point: StoredPoint | undefined,
  { vectors, payload }: PointPatch,
  now: PointPayload,
): string | undefined => {
  const given = FACET_VECTORS.filter((name) => vectors?.[name] !== undefined);
  if (given.length === 0) return point?.madeOf;
  return given.length === FACET_VECTORS.length && payload?.scope !== undefined ? hashOfFacets(now) : undefined;
};

const hashOfFacets = ({ simpleQuestions, complexQuestions, context, scope }: PointPayload): string =>
  hashOf(JSON.stringify([simpleQuestions, complexQuestions, context, scope])).slice(0, 16);

/** The vectors of a point's facets by the text that each was made of; empty where that is not known for sure. */
export const facetVectorsOf = ({ payload, vectors, madeOf }: StoredPoint): Map<string, Float32Array> => {
  const texts = {
    simple_questions: payload.simpleQuestions,
    complex_questions: payload.complexQuestions,
    context: payload.context ? [payload.context] : [],
    scope: payload.scope ? [payload.scope] : [],
  };
  if (madeOf !== hashOfFacets(payload) || FACET_VECTORS.some((name) => texts[name].length !== vectors[name].length))
    return new Map();
  return new Map(
    FACET_VECTORS.flatMap((name) => texts[name].map((text, at): [string, Float32Array] => [text, vectors[name][at]!])), // as many
  );
};

/** With a bag of the words only where there is no text. */
const bagged = ({ bag, ...payload }: StoredPayload, words: string | undefined): StoredPayload => {
  if (payload.text !== '') return payload;
  const now = words ? bagOf(words) : bag;
  return now ? { ...payload, bag: now } : payload;
};

/** The terms of paragraph and facets together. */
export const termsOf = (payload: StoredPayload): string[] => {
  const terms = lexicalTerms(lexicalText(payload));
  return payload.bag === undefined ? terms : [...termsOfBag(payload.bag), ...terms];
};

/** The same, as sorted hashes. */
export const hashesOf = (payload: StoredPayload): Uint32Array =>
  payload.bag === undefined ? lexicalHashes(lexicalText(payload)) : Uint32Array.from(termsOf(payload), termHash).sort();

const lexicalText = ({ text, simpleQuestions, complexQuestions, context, scope }: PointPayload): string =>
  [text, ...simpleQuestions, ...complexQuestions, context, scope].join('\n');

const defined = (payload: Partial<PointPayload>): Partial<PointPayload> =>
  Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== undefined));

export const NO_VECTORS: StoredPoint['vectors'] = {
  paragraph: [],
  simple_questions: [],
  complex_questions: [],
  context: [],
  scope: [],
};

const EMPTY_PAYLOAD: PointPayload = {
  document: '',
  version: 0,
  active: false,
  position: 0,
  page: null,
  start: 0,
  end: 0,
  trail: [],
  text: '',
  simpleQuestions: [],
  complexQuestions: [],
  context: '',
  scope: '',
  title: '',
  contentType: '',
  language: null,
  sourceType: '',
  sourceId: '',
  collection: null,
  createdAt: null,
  addedAt: '',
  metadata: {},
};
