import { bulkhead } from 'cockatiel';
import type { OnPaid } from '@postmaster/retrieval';
import type { z } from 'zod';
import { ASK_AGAIN, askAgain, type AskAgain } from './ask-again.js';
import { callLimit } from './call-limits.js';
import { type ChatPrompt, type ChatServer, nameOf, type ReplyForm } from './chat-server.js';
import { asModelFailure, ModelFailure } from './model-failure.js';
import { modelFetch } from './model-fetch.js';
import { knownWays } from './known-ways.js';
import { fittingPrompt } from './prompt-window.js';
import { readReply } from './read-reply.js';
import { laneTo, type Urgency } from './server-lanes.js';

export interface CallSettings {
  /** The most calls that run at once; 32. How many the server bears is found out, below this. */
  concurrency?: number;
  /** Of one request, and of silence between two pieces of an answer; 300 s. */
  timeoutMs?: number;
  again?: AskAgain;
}

/** Tokens, of failed tries as well. */
export interface Usage {
  inputTokens: number;
  outputTokens: number;
  /** Of the input, read from the provider's cache. */
  cachedTokens: number;
  /** Replies that came. */
  calls: number;
}

export interface Asked<S extends z.ZodType> {
  /** Several, the longest first: the first one is sent that the model's window holds. */
  prompt: ChatPrompt | readonly ChatPrompt[];
  form: ReplyForm;
  /** Reads what came in the form; what it refuses counts as malformed. */
  schema: S;
  /** Whose call goes first where the server's limit is reached; interactive. */
  urgency?: Urgency;
  /** The calls of this kind are alike enough for their times to tell of a queue at the server. */
  measured?: boolean;
  /** Hears of the replies that came, whatever became of them. */
  onPaid?: OnPaid;
}

export const MOST_AT_ONCE = 32;
export const TIME_LIMIT_MS = 300_000;

/**
 * Asks a chat model for replies of a form, and again where that may help. Asks in the best way that the server has
 * turned out to know: one that it refuses with 400 is passed over, and not tried again for an hour once a later one has
 * worked. All calls of one account at one server share the limit that is found for it.
 */
export const askInForm = (server: ChatServer, settings: CallSettings = {}) => {
  const { concurrency = MOST_AT_ONCE, timeoutMs = TIME_LIMIT_MS, again = ASK_AGAIN } = settings;
  const name = nameOf(server);
  const retried = askAgain(again);
  const slots = bulkhead(concurrency, Infinity);
  const lane = laneTo(server);
  const ways = knownWays(server);

  const askOnce = async <S extends z.ZodType>(
    { prompt, form, schema }: Asked<S>,
    usage: Usage,
    outer?: AbortSignal,
  ): Promise<z.output<S>> => {
    let refusal: ModelFailure | undefined;
    for (let at = ways.first(); at < server.ways.length; at++) {
      const limit = callLimit(name, timeoutMs, outer);
      try {
        const fetch = modelFetch({ server: name, signal: limit.signal, secret: server.secret, through: server.fetch });
        const fitting = fittingPrompt(prompt, await server.window(fetch), name, form);
        const reply = await server.ask(fitting, server.ways[at]!, form, fetch);
        usage.inputTokens += reply.usage_metadata?.input_tokens ?? 0;
        usage.outputTokens += reply.usage_metadata?.output_tokens ?? 0;
        usage.cachedTokens += reply.usage_metadata?.input_token_details?.cache_read ?? 0;
        usage.calls++;
        ways.worked(at);
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
    const usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, calls: 0 };
    const { urgency = 'interactive', measured } = asked;
    const once = () => lane.run(() => askOnce(asked, usage, signal), { urgency, measured });
    try {
      return { reply: await retried(() => slots.execute(once), signal), usage };
    } finally {
      if (usage.calls > 0) asked.onPaid?.({ model: server.id, ...usage });
    }
  };
};
