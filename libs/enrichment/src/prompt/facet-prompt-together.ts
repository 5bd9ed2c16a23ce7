import type { FacetInput } from '../facet-model.js';
import { composePrompt } from './compose-prompt.js';
import { type ChatPrompt, languageName } from './facet-prompt.js';
import { type PromptLanguage, promptLanguage } from './prompt-tasks.js';
import { questionCounts } from './question-counts.js';

/**
 * What a model is asked for the facets of several paragraphs of one document, alike in language and instructions: those
 * are the ones of a single paragraph, to the letter, so that a provider's prompt cache holds them for both. The texts travel
 * as one JSON object here too, the only one in the user's message.
 */
export const facetPromptTogether = (
  inputs: readonly [FacetInput, ...FacetInput[]],
): ChatPrompt & { version: string } => {
  const [{ title, language, prompt }] = inputs;
  const { version, system } = prompt ?? composePrompt('facets', inputs[0]);
  const written = promptLanguage(language);
  const paragraphs = inputs.map(({ trail, before, text, after }, at) => {
    const { simple, complex } = questionCounts(text);
    return {
      ...{ number: at + 1, headings: trail, text_before: before, paragraph: text, text_after: after },
      ...{ simple_questions: simple, complex_questions: complex },
    };
  });
  const request = REQUESTS[written](languageName(language, written));
  return { version, system, user: `${request}\n\n${JSON.stringify({ title, paragraphs })}` };
};

const REQUESTS: Record<PromptLanguage, (language: string) => string> = {
  en: (language) =>
    `Write the search entries in ${language}, for each of several paragraphs by itself. Each says how many questions of a kind it is to have. Reply with one JSON object whose only key is "entries": a list that has for each paragraph, in their order, one object with the keys named above and the paragraph's "number". What one paragraph says answers no question of another.`,
  da: (language) =>
    `Skriv søgeindgangene på ${language}, for hvert af flere afsnit for sig. Hvert siger, hvor mange spørgsmål af hver slags det skal have. Svar med ét JSON-objekt, hvis eneste nøgle er "entries": en liste, der for hvert afsnit, i deres rækkefølge, har ét objekt med nøglerne ovenfor og afsnittets "number". Det, ét afsnit siger, besvarer intet spørgsmål til et andet.`,
};
