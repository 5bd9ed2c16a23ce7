import type { Facets } from '@postmaster/contracts';
import {
  FACET_PROMPT_VERSION,
  FACET_REPLY_SCHEMA,
  type FacetModel,
  type FacetInput,
  facetPrompt,
  FacetReplyText,
} from '@postmaster/enrichment';
import { askChain } from './ask-chain.js';
import { type CallSettings, MOST_AT_ONCE } from './ask-in-form.js';
import type { ChatPrompt } from './chat-server.js';
import type { ModelChain } from './model-chain.js';

const FORM = { name: 'search_entries', schema: FACET_REPLY_SCHEMA };

/** Facets from the chat models of a chain. */
export const chatFacets = (chain: ModelChain, remote: boolean, settings: CallSettings = {}): FacetModel => {
  const ask = askChain(chain, settings);
  return {
    id: chain.servers[0].id,
    fallbacks: chain.servers.slice(1).map(({ id }) => id),
    promptVersion: FACET_PROMPT_VERSION,
    concurrency: settings.concurrency ?? MOST_AT_ONCE,
    remote,
    makeFacets: async (input, signal, urgency = 'bulk') => {
      const asked = { prompt: promptsFor(input), form: FORM, schema: FacetReplyText };
      const { reply, usage, model } = await ask({ ...asked, urgency, measured: true }, signal);
      return { facets: facetsOf(reply, model), usage };
    },
  };
};

/** Where the model's window is small, what stands around the paragraph is left out: the text first, then the headings. */
const promptsFor = (input: FacetInput): ChatPrompt[] =>
  [
    input,
    { ...input, before: input.before.slice(-SOME), after: input.after.slice(0, SOME) },
    { ...input, before: '', after: '' },
    { ...input, before: '', after: '', trail: [] },
  ].map(facetPrompt);

/** Characters on each side. */
const SOME = 100;

const facetsOf = (reply: FacetReplyText, model: string): Facets => ({
  simpleQuestions: reply.simple_questions.map((text) => ({ text })),
  complexQuestions: reply.complex_questions.map((text) => ({ text })),
  context: reply.context,
  scope: reply.scope,
  model,
  promptVersion: FACET_PROMPT_VERSION,
  quality: null,
});
