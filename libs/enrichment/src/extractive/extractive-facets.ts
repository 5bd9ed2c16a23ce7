import { type FacetQuestion, type Facets, withoutLinks } from '@postmaster/contracts';
import type { FacetInput, FacetModel, FacetReply } from '../facet-model.js';
import { keyPhrases } from './key-phrases.js';
import { evenParts, sentences } from './sentences.js';

export const EXTRACTIVE_VERSION = 'extractive-1';
const MAX_PLACE = 120;
const SCOPE_PHRASES = 12;

/**
 * Facets out of the text itself, for when no language model is configured: pure, deterministic, in any language.
 * In place of simple questions stand up to three statements that cover the paragraph, in place of complex ones its
 * two halves, each behind the document's title; a heading that is a question is kept as one. Context is the place
 * and the opening sentence, scope the key phrases; of a text that may not be quoted, context is its title, and scope is all else. Neighbours are left out: their words draw the neighbours' questions.
 */
export const extractiveFacets = (): FacetModel => ({
  id: 'extractive',
  promptVersion: EXTRACTIVE_VERSION,
  concurrency: 1,
  remote: false,
  makeFacets: async (given) => {
    const input = unlinked(given);
    const scope = keyPhrases(input.text, SCOPE_PHRASES).join(', ');
    if (input.mayQuote === false) return replyOf({ ...NO_QUOTES, context: place(input.title, []), scope });
    const all = sentences(input.text);
    return replyOf({
      simpleQuestions: [...askedByHeading(input), ...evenParts(all, 3).map(statement(input))],
      complexQuestions: evenParts(all, all.length === 2 ? 1 : 2).map(statement(input)),
      context: [place(input.title, input.trail), all[0]].filter(Boolean).join('. '),
      scope,
    });
  },
});

/** Facets carry no link, whatever their text does. */
const unlinked = (input: FacetInput): FacetInput => ({
  ...input,
  title: withoutLinks(input.title),
  trail: input.trail.map((heading) => withoutLinks(heading)),
  text: withoutLinks(input.text),
});

const NO_QUOTES = { simpleQuestions: [], complexQuestions: [] };

const replyOf = (facets: Pick<Facets, 'simpleQuestions' | 'complexQuestions' | 'context' | 'scope'>): FacetReply => ({
  facets: { ...facets, model: 'extractive', promptVersion: EXTRACTIVE_VERSION, quality: null },
  usage: { inputTokens: 0, outputTokens: 0 },
});

const statement =
  ({ title, trail }: FacetInput) =>
  (text: string): FacetQuestion => {
    const about = place(title, trail.slice(-1));
    return { text: about ? `${about}: ${text}` : text, kind: 'statement' };
  };

const askedByHeading = ({ trail }: FacetInput): FacetQuestion[] =>
  trail
    .filter((heading) => /[?？؟]$/u.test(heading.trim()))
    .slice(-1)
    .map((text) => ({ text, kind: 'question' }));

/** "Title › heading › heading", a heading that repeats the one before left out. */
const place = (title: string, trail: readonly string[]): string =>
  [title, ...trail]
    .map((name) => name.trim().slice(0, MAX_PLACE))
    .filter((name, at, all) => name && name.toLowerCase() !== all[at - 1]?.toLowerCase())
    .join(' › ');
