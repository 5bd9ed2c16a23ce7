import type { Facets } from '@postmaster/contracts';
import {
  FACET_PROMPT_VERSION,
  FACET_REPLY_SCHEMA,
  type FacetModel,
  facetPrompt,
  type FacetReply,
  FacetReplyText,
} from '@postmaster/enrichment';
import { bulkhead } from 'cockatiel';
import { ASK_AGAIN, askAgain, type AskAgain } from './ask-again.js';
import { callLimit } from './call-limits.js';
import { type ChatPrompt, type ChatServer, nameOf, WAYS } from './chat-server.js';
import { asModelFailure, ModelFailure } from './model-failure.js';
import { modelFetch } from './model-fetch.js';
import { readReply } from './read-reply.js';

export interface CallSettings {
  /** Calls that run at once; 4. More wait. */
  concurrency?: number;
  /** Of one request; 120 s. */
  timeoutMs?: number;
  again?: AskAgain;
}

const FORM = { name: 'search_entries', schema: FACET_REPLY_SCHEMA };

/**
 * Facets from a chat model. Asks in the best way that the server has turned out to know: one that it refuses with 400
 * is passed over, and not tried again in this process once a later one has worked.
 */
export const chatFacets = (server: ChatServer, remote: boolean, settings: CallSettings = {}): FacetModel => {
  const { concurrency = 4, timeoutMs = 120_000, again = ASK_AGAIN } = settings;
  const name = nameOf(server);
  const retried = askAgain(again);
  const slots = bulkhead(concurrency, Infinity);
  let best = 0;

  const askOnce = async (prompt: ChatPrompt, usage: FacetReply['usage'], outer?: AbortSignal) => {
    let refusal: ModelFailure | undefined;
    for (let at = best; at < WAYS.length; at++) {
      const limit = callLimit(name, timeoutMs, outer);
      try {
        const fetch = modelFetch({ server: name, signal: limit.signal, secret: server.secret });
        const reply = await server.ask(prompt, WAYS[at]!, FORM, fetch);
        usage.inputTokens += reply.usage_metadata?.input_tokens ?? 0;
        usage.outputTokens += reply.usage_metadata?.output_tokens ?? 0;
        best = Math.max(best, at);
        return readReply(reply, FacetReplyText, name);
      } catch (error) {
        if (limit.signal.aborted) throw limit.signal.reason;
        const failure = asModelFailure(error, name);
        if (failure.kind !== 'unable') throw failure;
        refusal ??= failure;
      } finally {
        limit.end();
      }
    }
    throw refusal ?? new ModelFailure('unable', `${name} takes no way of asking.`);
  };

  return {
    id: server.id,
    promptVersion: FACET_PROMPT_VERSION,
    concurrency,
    remote,
    makeFacets: async (input, signal) => {
      const usage = { inputTokens: 0, outputTokens: 0 };
      const prompt = facetPrompt(input);
      const reply = await retried(() => slots.execute(() => askOnce(prompt, usage, signal)), signal);
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
