import type { FacetInput } from '../facet-model.js';
import { composePrompt, type OwnPrompt, promptName, type TaskPrompt } from './compose-prompt.js';
import { fillPlaceholders } from './placeholders.js';
import { type PromptLanguage, promptLanguage } from './prompt-tasks.js';
import { questionCounts } from './question-counts.js';

export interface ChatPrompt {
  system: string;
  user: string;
}

/** What the facets are known to be made with where no language is at hand. */
export const facetPromptName = (): string => promptName('facets');

/** The instructions for paragraphs of a language and genre, with what the tenant says of its own. */
export const facetInstructions = (
  { language, genre }: Pick<FacetInput, 'language' | 'genre'>,
  ownPrompt: (language: string | null) => OwnPrompt | undefined,
): TaskPrompt => composePrompt('facets', { language, genre, own: ownPrompt(language) });

/**
 * What a model is asked for the facets of one paragraph, and the version of what it is told. The document's text travels
 * as one JSON object, the only one in the user's message: no text can close it and pass for an instruction. The
 * instructions are the same for every paragraph of a language and genre, so that a provider's prompt cache holds them;
 * how many questions are wanted stands in the user's message.
 */
export const facetPrompt = (input: FacetInput): ChatPrompt & { version: string } => {
  const { version, system, sections } = input.prompt ?? composePrompt('facets', input);
  const { simple, complex } = questionCounts(input.text);
  const language = languageName(input.language, promptLanguage(input.language));
  const asked = { language, simple: String(simple), complex: String(complex) };
  const request = [
    fillPlaceholders(sections.request ?? '', asked),
    ...(input.rejected ? [sections.again ?? ''] : []),
  ].join(' ');
  return { version, system, user: `${request}\n\n${dataOf(input)}` };
};

const dataOf = ({ title, trail, before, text, after, rejected }: FacetInput): string =>
  JSON.stringify({
    title,
    headings: trail,
    text_before: before,
    paragraph: text,
    text_after: after,
    ...(rejected && { refused_before: rejected.map(({ part, reason, text }) => ({ part, reason, text })) }),
  });

const UNKNOWN: Record<PromptLanguage, string> = {
  en: 'the language that the paragraph is written in',
  da: 'det sprog, afsnittet er skrevet på',
};
const names: Record<PromptLanguage, Intl.DisplayNames> = {
  en: new Intl.DisplayNames(['en'], { type: 'language' }),
  da: new Intl.DisplayNames(['da'], { type: 'language' }),
};

/** A language's name in the language of the prompt. */
export const languageName = (code: string | null, written: PromptLanguage): string => {
  if (!code) return UNKNOWN[written];
  try {
    return names[written].of(code) ?? code;
  } catch {
    return UNKNOWN[written]; // not a language code
  }
};
