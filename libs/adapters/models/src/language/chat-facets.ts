import type { Facets } from '@postmaster/contracts';
import {
  FACET_REPLY_SCHEMA,
  type FacetModel,
  facetPrompt,
  facetPromptName,
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
    promptVersion: facetPromptName(),
    concurrency: settings.concurrency ?? MOST_AT_ONCE,
    remote,
    makeFacets: async (input, signal, urgency = 'bulk') => {
      const prompt = facetPrompt(input);
      const asked = { prompt, form: FORM, schema: FacetReplyText };
      const { reply, usage } = await ask({ ...asked, urgency, measured: true }, signal);
      return { facets: facetsOf(reply, server.id, prompt.version), usage };
    },
  };
};

const facetsOf = (reply: FacetReplyText, model: string, promptVersion: string): Facets => ({
  simpleQuestions: reply.simple_questions.map((text) => ({ text })),
  complexQuestions: reply.complex_questions.map((text) => ({ text })),
  context: reply.context,
  scope: reply.scope,
  model,
  promptVersion,
  quality: null,
});
