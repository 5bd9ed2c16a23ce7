import type { Facets } from '@postmaster/contracts';
import {
  FACET_REPLIES_SCHEMA,
  FACET_REPLY_SCHEMA,
  type FacetInput,
  type FacetModel,
  facetPrompt,
  facetPromptName,
  facetPromptTogether,
  facetRepliesText,
  FacetReplyText,
} from '@postmaster/enrichment';
import { askChain } from './ask-chain.js';
import { type CallSettings, MOST_AT_ONCE } from './ask-in-form.js';
import type { ModelChain } from './model-chain.js';

type FacetPrompt = ReturnType<typeof facetPrompt>;

const FORM = { name: 'search_entries', schema: FACET_REPLY_SCHEMA };
const FORM_TOGETHER = { name: 'search_entries_of_paragraphs', schema: FACET_REPLIES_SCHEMA };

export interface FacetSettings extends CallSettings {
  /** Paragraphs of one document that are asked about in one call; 1. */
  paragraphsPerCall?: number;
}

/** Facets from the chat models of a chain. */
export const chatFacets = (chain: ModelChain, remote: boolean, settings: FacetSettings = {}): FacetModel => {
  const ask = askChain(chain, settings);
  return {
    id: chain.servers[0].id,
    fallbacks: chain.servers.slice(1).map(({ id }) => id),
    promptVersion: facetPromptName(),
    concurrency: settings.concurrency ?? MOST_AT_ONCE,
    remote,
    makeFacets: async (input, signal, urgency = 'bulk') => {
      const prompt = promptsFor(input);
      const asked = { prompt, form: FORM, schema: FacetReplyText };
      const { reply, usage, model } = await ask({ ...asked, urgency, measured: true }, signal);
      return { facets: facetsOf(reply, model, prompt[0].version), usage };
    },
    paragraphsPerCall: settings.paragraphsPerCall,
    makeFacetsOf: async (inputs, signal, urgency = 'bulk') => {
      const prompt = facetPromptTogether(inputs);
      const asked = { prompt, form: FORM_TOGETHER, schema: facetRepliesText(inputs.length), urgency };
      const { reply, usage, model } = await ask(asked, signal);
      return { facets: reply.map((one) => one && facetsOf(one, model, prompt.version)), usage };
    },
  };
};

/** Where the model's window is small, what stands around the paragraph is left out: the text first, then the headings. */
const promptsFor = (input: FacetInput): [FacetPrompt, ...FacetPrompt[]] => [
  facetPrompt(input),
  facetPrompt({ ...input, before: input.before.slice(-SOME), after: input.after.slice(0, SOME) }),
  facetPrompt({ ...input, before: '', after: '' }),
  facetPrompt({ ...input, before: '', after: '', trail: [] }),
];

/** Characters on each side. */
const SOME = 100;

const facetsOf = (reply: FacetReplyText, model: string, promptVersion: string): Facets => ({
  simpleQuestions: reply.simple_questions.map((text) => ({ text })),
  complexQuestions: reply.complex_questions.map((text) => ({ text })),
  context: reply.context,
  scope: reply.scope,
  model,
  promptVersion,
  quality: null,
});
