import type { AnswerModel, SummaryModel } from '@postmaster/retrieval';
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
  ): AsyncGenerator<string, void> {
    const { stream, first, by } = await chain.first(async (server) => {
      const begin = begins.get(server) ?? begunBy(server, settings);
      return { ...(await begin(prompt, signal)), by: server.id };
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
    write: (question, sources, language, signal, onWriter) =>
      streamed(answerPrompt(question, sources, language), signal, onWriter),
    summarize: (points, sources, language, signal) => streamed(summaryPrompt(points, sources, language), signal),
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
): ((prompt: ChatPrompt, signal?: AbortSignal) => Promise<Begun>) => {
  const name = nameOf(server);
  const retried = askAgain(again);
  const lane = laneTo(server);

  /** Pieces of the reply; whatever ends them early is a ModelFailure, or the caller's own reason. */
  const pieces = async function* (prompt: ChatPrompt, limit: CallLimit): AsyncGenerator<string, void> {
    const fetch = modelFetch({ server: name, signal: limit.signal, secret: server.secret, through: server.fetch });
    const leave = lane.beside();
    let said = false;
    let isDeclined = false;
    try {
      const fitting = fittingPrompt(prompt, await server.window(fetch), name);
      for await (const chunk of await server.stream(fitting, fetch)) {
        limit.heard();
        if (chunk.text) yield chunk.text;
        said ||= chunk.text !== '';
        isDeclined ||= endOf(chunk) === 'declined';
      }
    } catch (error) {
      if (limit.signal.aborted) throw limit.signal.reason;
      throw asModelFailure(error, name);
    } finally {
      leave();
      limit.end();
    }
    if (!said && isDeclined) throw declined(name);
    if (!said) throw new ModelFailure('malformed', `${name} answered with no text.`);
  };

  return (prompt, signal) =>
    retried(async () => {
      const stream = pieces(prompt, callLimit(name, timeoutMs, signal));
      return { stream, first: await stream.next() };
    }, signal);
};
