import type { UsageMetadata } from '@langchain/core/messages';
import type { AnswerModel, OnPaid, PaidCalls, SummaryModel } from '@postmaster/retrieval';
import { estimateTokens } from '../encoders/estimate-tokens.js';
import { ANSWER_PROMPT_VERSION, answerPrompt, summaryPrompt } from './answer-prompt.js';
import { ASK_AGAIN, askAgain } from './ask-again.js';
import { type CallLimit, callLimit } from './call-limits.js';
import { type CallSettings, TIME_LIMIT_MS } from './ask-in-form.js';
import { type ChatPrompt, type ChatServer, nameOf } from './chat-server.js';
import { asModelFailure, ModelFailure } from './model-failure.js';
import type { ModelChain } from './model-chain.js';
import { modelFetch } from './model-fetch.js';
import { fittingPrompt } from './prompt-window.js';
import { declined, endOf } from './read-reply.js';
import { laneTo } from './server-lanes.js';

/**
 * Answers and summaries from a chat model, in pieces as they come. Asked again only until the first piece: what was said is not
 * said twice. The time limit is on silence, before the first piece and between two.
 */
export const chatAnswers = (
  chain: ModelChain,
  settings: Omit<CallSettings, 'concurrency'> = {},
): AnswerModel & SummaryModel => {
  const begins = new Map(chain.servers.map((server) => [server, begunBy(server, settings)]));

  const streamed = async function* (
    prompt: ChatPrompt,
    signal?: AbortSignal,
    onWriter?: (model: string) => void,
    onPaid?: OnPaid,
  ): AsyncGenerator<string, void> {
    const { stream, first, by } = await chain.first(async (server) => {
      const begin = begins.get(server) ?? begunBy(server, settings);
      return { ...(await begin(prompt, signal, onPaid)), by: server.id };
    });
    onWriter?.(by);
    try {
      if (!first.done) yield first.value;
      yield* stream;
    } finally {
      await stream.return(); // a reader who leaves early ends the request
    }
  };

  return {
    id: chain.servers[0].id,
    promptVersion: ANSWER_PROMPT_VERSION,
    write: (question, sources, language, signal, onWriter, onPaid) =>
      streamed(answerPrompt(question, sources, language), signal, onWriter, onPaid),
    summarize: (points, sources, language, signal, onPaid) =>
      streamed(summaryPrompt(points, sources, language), signal, undefined, onPaid),
  };
};

interface Begun {
  stream: AsyncGenerator<string, void>;
  first: IteratorResult<string, void>;
}

/** Begins a reply of one server, asked again until its first piece is there. */
const begunBy = (
  server: ChatServer,
  { timeoutMs = TIME_LIMIT_MS, again = ASK_AGAIN }: Omit<CallSettings, 'concurrency'>,
): ((prompt: ChatPrompt, signal?: AbortSignal, onPaid?: OnPaid) => Promise<Begun>) => {
  const name = nameOf(server);
  const retried = askAgain(again);
  const lane = laneTo(server);

  /** Pieces of the reply; whatever ends them early is a ModelFailure, or the caller's own reason. */
  const pieces = async function* (prompt: ChatPrompt, limit: CallLimit, onPaid?: OnPaid): AsyncGenerator<string, void> {
    const fetch = modelFetch({ server: name, signal: limit.signal, secret: server.secret, through: server.fetch });
    const leave = lane.beside();
    let said = '';
    let isDeclined = false;
    const told: UsageMetadata[] = [];
    let usage: Tokens | undefined; // of a whole reply
    try {
      const fitting = fittingPrompt(prompt, await server.window(fetch), name);
      for await (const chunk of await server.stream(fitting, fetch)) {
        limit.heard();
        if (chunk.usage_metadata) told.push(chunk.usage_metadata);
        said += chunk.text;
        if (chunk.text) yield chunk.text;
        isDeclined ||= endOf(chunk) === 'declined';
      }
      usage = told.length > 0 ? sumOf(told) : undefined;
    } catch (error) {
      if (limit.signal.aborted) throw limit.signal.reason;
      throw asModelFailure(error, name);
    } finally {
      leave();
      limit.end();
      if (said || usage) onPaid?.({ model: server.id, calls: 1, ...(usage ?? estimated(prompt, said)) });
    }
    if (!said && isDeclined) throw declined(name);
    if (!said) throw new ModelFailure('malformed', `${name} answered with no text.`);
  };

  return (prompt, signal, onPaid) =>
    retried(async () => {
      const stream = pieces(prompt, callLimit(name, timeoutMs, signal), onPaid);
      return { stream, first: await stream.next() };
    }, signal);
};

type Tokens = Omit<PaidCalls, 'model' | 'calls'>;

/** Each chunk tells what it adds. */
const sumOf = (told: readonly UsageMetadata[]): Tokens => ({
  inputTokens: sum(told.map(({ input_tokens: tokens }) => tokens)),
  outputTokens: sum(told.map(({ output_tokens: tokens }) => tokens)),
  cachedTokens: sum(told.map(({ input_token_details: details }) => details?.cache_read ?? 0)),
});

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** Where the server told nothing, or the reply was not read to its end. */
const estimated = ({ system, user }: ChatPrompt, said: string): Tokens => ({
  inputTokens: estimateTokens(`${system} ${user}`),
  outputTokens: estimateTokens(said),
  cachedTokens: 0,
});
