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
  'REPEATED', // another question of the paragraph asks the same
] as const;
export type RejectionReason = (typeof REJECTIONS)[number];

export type FacetPart = 'simple_questions' | 'complex_questions' | 'context' | 'scope';

export interface Rejection {
  part: FacetPart;
  reason: RejectionReason;
  /** What was dropped: a question, or of context and scope the sentence or phrase. */
  text: string;
}
