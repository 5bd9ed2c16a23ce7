import { type NamedVector, NAMED_VECTORS, type PointPayload } from '@postmaster/contracts';
import type { PointPatch } from '@postmaster/embedding';
import { lexicalHashes, lexicalTerms } from './lexical-terms.js';

/** A point as its row holds it. A name without vectors has an empty list; one that isn't a list of questions has at most one. */
export interface StoredPoint {
  id: string;
  revision: number;
  payload: PointPayload;
  vectors: Record<NamedVector, readonly Float32Array[]>;
}

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
  return {
    id: patch.id,
    revision: patch.revision,
    payload: { ...(point?.payload ?? EMPTY_PAYLOAD), ...defined(patch.payload ?? {}) },
    vectors,
  };
};

/** The terms of paragraph and facets together. */
export const termsOf = (payload: PointPayload): string[] => lexicalTerms(lexicalText(payload));

/** The same, as sorted hashes. */
export const hashesOf = (payload: PointPayload): Uint32Array => lexicalHashes(lexicalText(payload));

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
