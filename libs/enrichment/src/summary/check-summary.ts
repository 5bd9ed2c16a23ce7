import { hasLink } from '@postmaster/contracts';
import { sentences } from '../extractive/sentences.js';
import { gateGround } from '../gate/gate-ground.js';
import { isInstructed } from '../gate/judge-question.js';
import { isOtherLanguage } from '../gate/language.js';
import { unsupported } from '../gate/unsupported.js';
import type { DocumentSummary } from './summary-model.js';

/** What a summary is of. */
export interface SummedUp {
  title: string;
  text: string;
  language: string | null;
}

/**
 * Of a model's summary the points, and of its paragraph the sentences, that the text bears out: in its language, with no
 * name, number or date that it does not have, no link, and nothing that only an instruction within it says.
 */
export const checkSummary = (
  { points, paragraph }: DocumentSummary,
  { title, text, language }: SummedUp,
  languageOf: (text: string) => string | null,
): DocumentSummary => {
  const ground = gateGround({ title, trail: [], before: '', text, after: '', language }, [], languageOf);
  const holds = (said: string): boolean => !hasLink(said) && !isInstructed(ground, said) && !unsupported(ground, said);
  const isIts = (said: string): boolean => !isOtherLanguage(said, ground.language, languageOf);
  return {
    points: points.filter((point) => isIts(point) && holds(point)),
    paragraph: isIts(paragraph) ? sentences(paragraph).filter(holds).join(' ') : '',
  };
};
