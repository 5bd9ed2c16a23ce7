import type { Facets } from '@postmaster/contracts';
import {
  FACET_PROMPT_VERSION,
  FACET_REPLY_SCHEMA,
  type FacetModel,
  facetPrompt,
  FacetReplyText,
} from '@postmaster/enrichment';
import { askInForm, type CallSettings, MOST_AT_ONCE } from './ask-in-form.js';
import type { ChatServer } from './chat-server.js';

const FORM = { name: 'search_entries', schema: FACET_REPLY_SCHEMA };

/** Facets from a chat model. */
export const chatFacets = (server: ChatServer, remote: boolean, settings: CallSettings = {}): FacetModel => {
  const ask = askInForm(server, settings);
  return {
    id: server.id,
    promptVersion: FACET_PROMPT_VERSION,
    concurrency: settings.concurrency ?? MOST_AT_ONCE,
    remote,
    makeFacets: async (input, signal, urgency = 'bulk') => {
      const asked = { prompt: facetPrompt(input), form: FORM, schema: FacetReplyText };
      const { reply, usage } = await ask({ ...asked, urgency, measured: true }, signal);
      return { facets: facetsOf(reply, server.id), usage };
    },
  };
};

const facetsOf = (reply: FacetReplyText, model: string): Facets => ({
  simpleQuestions: reply.simple_questions.map((text) => ({ text })),
  complexQuestions: reply.complex_questions.map((text) => ({ text })),
  context: reply.context,
  scope: reply.scope,
  model,
  promptVersion: FACET_PROMPT_VERSION,
  quality: null,
});
