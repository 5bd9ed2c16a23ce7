import { withoutInstructions } from '@postmaster/contracts';
import type { FacetInput } from './facet-model.js';

/** What of a paragraph and its context enrichers are shown: all but what tells a model what to do. */
export const shownInput = (input: FacetInput): FacetInput => ({
  ...input,
  title: shown(input.title),
  trail: input.trail.map(shown).filter(Boolean),
  before: shown(input.before),
  text: shown(input.text),
  after: shown(input.after),
});

/** Left as it is, to the letter, where there is nothing to leave out. */
const shown = (text: string): string => {
  const rest = withoutInstructions(text);
  return rest === text ? text : rest.replace(/[ \t]{2,}/g, ' ').trim();
};
