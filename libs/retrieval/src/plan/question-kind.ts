import type { QuestionKind } from '@postmaster/contracts';
import { FINITE_VERBS, OPENS } from './kind-words.js';
import { wordSet, wordsOf } from './words-of.js';

const VERBS = wordSet(FINITE_VERBS);

/** What a question asks for, by how it opens; a sentence with a verb is a statement, anything else is keywords. */
export const questionKind = (text: string): QuestionKind => {
  const lower = text.toLowerCase().replaceAll('’', "'");
  for (const [kind, openings] of OPENS)
    if (openings.some((opening) => lower.startsWith(opening) && !/^[\p{L}\p{N}]/u.test(lower.slice(opening.length))))
      return kind;
  const words = wordsOf(text);
  if (text.endsWith('?')) return 'fact';
  return words.length >= 3 && holdsVerb(text) ? 'statement' : 'keywords';
};

export const isQuestion = (text: string): boolean =>
  text.endsWith('?') || !['statement', 'keywords'].includes(questionKind(text));

export const holdsVerb = (text: string): boolean => wordsOf(text).some(({ lower }) => VERBS.has(lower));
