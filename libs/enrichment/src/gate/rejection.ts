/** Why something that a model wrote of a paragraph does not count. A closed list: metrics and rows are counted by it. */
export const REJECTIONS = [
  'NOT_A_QUESTION', // another shape: no question mark, a single word, several lines, endless
  'TOO_MANY', // above the number asked for
  'HAS_LINK', // a link, an image or markup
  'INSTRUCTION', // tells a model what to do, or says what only such a sentence of the document says
  'WRONG_LANGUAGE',
  'NEEDS_THE_TEXT', // "this paragraph": whoever asks does not see it
  'UNKNOWN_NAME', // neither in the paragraph nor in what stands around it
  'UNKNOWN_NUMBER',
  'UNKNOWN_DATE',
  'OFF_SUBJECT', // hardly a word of the paragraph
  'ANSWERED_ELSEWHERE', // other paragraphs of the document fit it better
  'REPEATED', // another question of the paragraph asks the same; a relation that was given before
  'NOT_QUOTED', // an entity, or an end of a relation, whose name the paragraph does not have
  'NOT_A_NAME', // of an entity: a pronoun, a sign, a whole sentence, a day that is none
  'UNKNOWN_RELATION', // of a type that is not in the list
  'WRONG_ENDS', // a relation of one thing to itself, or between things that this type does not relate
] as const;
export type RejectionReason = (typeof REJECTIONS)[number];

export const FACET_PARTS = ['simple_questions', 'complex_questions', 'context', 'scope'] as const;
export type FacetPart = (typeof FACET_PARTS)[number];

/** What a model says of a paragraph beside its facets. */
export const ENTITY_PARTS = ['entities', 'relations'] as const;
export type EntityPart = (typeof ENTITY_PARTS)[number];

export interface Rejection<Part = FacetPart> {
  part: Part;
  reason: RejectionReason;
  /** What was dropped: a question, a name, a relation, or of context and scope the sentence or phrase. */
  text: string;
}
