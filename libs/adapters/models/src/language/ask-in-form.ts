import { bulkhead } from 'cockatiel';
import type { z } from 'zod';
import { ASK_AGAIN, askAgain, type AskAgain } from './ask-again.js';
import { callLimit } from './call-limits.js';
import { type ChatPrompt, type ChatServer, nameOf, type ReplyForm, WAYS } from './chat-server.js';
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

/** Tokens, of failed tries as well. */
export interface Usage {
  inputTokens: number;
  outputTokens: number;
}

export interface Asked<S extends z.ZodType> {
  prompt: ChatPrompt;
  form: ReplyForm;
  /** Reads what came in the form; what it refuses counts as malformed. */
  schema: S;
}

/**
 * Asks a chat model for replies of a form, and again where that may help. Asks in the best way that the server has
 * turned out to know: one that it refuses with 400 is passed over, and not tried again once a later one has worked.
 */
export const askInForm = (server: ChatServer, settings: CallSettings = {}) => {
  const { concurrency = 4, timeoutMs = 120_000, again = ASK_AGAIN } = settings;
  const name = nameOf(server);
  const retried = askAgain(again);
  const slots = bulkhead(concurrency, Infinity);
  let best = 0;

  const askOnce = async <S extends z.ZodType>(
    { prompt, form, schema }: Asked<S>,
    usage: Usage,
    outer?: AbortSignal,
  ): Promise<z.output<S>> => {
    let refusal: ModelFailure | undefined;
    for (let at = best; at < WAYS.length; at++) {
      const limit = callLimit(name, timeoutMs, outer);
      try {
        const fetch = modelFetch({ server: name, signal: limit.signal, secret: server.secret, through: server.fetch });
        const reply = await server.ask(prompt, WAYS[at]!, form, fetch);
        usage.inputTokens += reply.usage_metadata?.input_tokens ?? 0;
        usage.outputTokens += reply.usage_metadata?.output_tokens ?? 0;
        best = Math.max(best, at);
        return readReply(reply, schema, name);
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

  return async <S extends z.ZodType>(
    asked: Asked<S>,
    signal?: AbortSignal,
  ): Promise<{ reply: z.output<S>; usage: Usage }> => {
    const usage = { inputTokens: 0, outputTokens: 0 };
    const reply = await retried(() => slots.execute(() => askOnce(asked, usage, signal)), signal);
    return { reply, usage };
  };
};
