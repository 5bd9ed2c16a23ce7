import type { EvaluationCollection, EvaluationFacets, EvaluationParagraph, PointPayload } from '@postmaster/contracts';
import type { PointPatch } from './point-store.js';

export type FacetedParagraph = EvaluationParagraph & { facets: EvaluationFacets };

/** The texts of a point: what is counted as its words, and encoded. */
interface PointTexts {
  text: string;
  simpleQuestions: string[];
  complexQuestions: string[];
  context: string;
  scope: string;
}

const NO_FACETS = { simpleQuestions: [], complexQuestions: [], context: '', scope: '' };

/** A question facet of which there is nothing to join stays empty. */
const joined = (questions: readonly string[]): string[] => (questions.length === 0 ? [] : [questions.join('\n')]);

export const textsOf = (collection: EvaluationCollection, { text, facets }: FacetedParagraph): PointTexts => {
  switch (collection) {
    case 'composite':
      return { text, ...facets };
    case 'plain':
      return { text, ...NO_FACETS };
    case 'contextual':
      return { text: facets.context ? `${facets.context}\n${text}` : text, ...NO_FACETS };
    case 'joined':
      return {
        text,
        ...NO_FACETS,
        simpleQuestions: joined(facets.simpleQuestions),
        complexQuestions: joined(facets.complexQuestions),
      };
  }
};

/** A point of the collection, each text's vector by `vectorOf`. `at`: when it was put in, ISO 8601. */
export const pointOf = (
  collection: EvaluationCollection,
  paragraph: FacetedParagraph,
  vectorOf: (text: string) => Float32Array,
  at: string,
): PointPatch => {
  const texts = textsOf(collection, paragraph);
  const { document, title, position } = paragraph;
  const payload: PointPayload = {
    ...{ ...texts, document, title, position, version: 1, active: true, page: null, start: 0, end: 0, trail: [] },
    ...{ contentType: 'text/plain', language: null, sourceType: 'evaluation', sourceId: document, collection: null },
    ...{ createdAt: null, addedAt: at, metadata: {} },
  };
  return {
    id: paragraph.id,
    revision: 1,
    payload,
    vectors: {
      paragraph: vectorOf(texts.text),
      simple_questions: texts.simpleQuestions.map(vectorOf),
      complex_questions: texts.complexQuestions.map(vectorOf),
      context: texts.context ? vectorOf(texts.context) : null,
      scope: texts.scope ? vectorOf(texts.scope) : null,
    },
  };
};

/** All that is to be encoded, each text once. */
export const distinctTexts = (
  collections: readonly EvaluationCollection[],
  paragraphs: readonly FacetedParagraph[],
): string[] => {
  const texts = new Set<string>();
  for (const collection of collections)
    for (const paragraph of paragraphs) {
      const { text, simpleQuestions, complexQuestions, context, scope } = textsOf(collection, paragraph);
      for (const one of [text, ...simpleQuestions, ...complexQuestions]) texts.add(one);
      for (const one of [context, scope]) if (one) texts.add(one);
    }
  return [...texts];
};
