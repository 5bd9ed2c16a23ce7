import type { AnswerModel, SummaryModel } from '@postmaster/retrieval';
import { ANSWER_PROMPT_VERSION, answerPrompt, summaryPrompt } from './answer-prompt.js';
import { ASK_AGAIN, askAgain } from './ask-again.js';
import { type CallLimit, callLimit } from './call-limits.js';
import type { CallSettings } from './ask-in-form.js';
import { type ChatPrompt, type ChatServer, nameOf } from './chat-server.js';
import { asModelFailure, ModelFailure } from './model-failure.js';
import { modelFetch } from './model-fetch.js';
import { laneTo } from './server-lanes.js';

/**
 * Answers and summaries from a chat model, in pieces as they come. Asked again only until the first piece: what was said is not
 * said twice. The time limit is on silence, before the first piece and between two.
 */
export const chatAnswers = (server: ChatServer, settings: Omit<CallSettings, 'concurrency'> = {}): AnswerModel & SummaryModel => {
  const { timeoutMs = 120_000, again = ASK_AGAIN } = settings;
  const name = nameOf(server);
  const retried = askAgain(again);
  const lane = laneTo(server);

  /** Pieces of the reply; whatever ends them early is a ModelFailure, or the caller's own reason. */
  const pieces = async function* (prompt: ChatPrompt, limit: CallLimit): AsyncGenerator<string, void> {
    const fetch = modelFetch({ server: name, signal: limit.signal, secret: server.secret, through: server.fetch });
    const leave = lane.beside();
    let said = false;
    try {
      for await (const chunk of await server.stream(prompt, fetch)) {
        limit.heard();
        if (chunk.text) yield chunk.text;
        said ||= chunk.text !== '';
      }
    } catch (error) {
      if (limit.signal.aborted) throw limit.signal.reason;
      throw asModelFailure(error, name);
    } finally {
      leave();
      limit.end();
    }
    if (!said) throw new ModelFailure('malformed', `${name} answered with no text.`);
  };

  const streamed = async function* (prompt: ChatPrompt, signal?: AbortSignal): AsyncGenerator<string, void> {
    const { stream, first } = await retried(async () => {
      const stream = pieces(prompt, callLimit(name, timeoutMs, signal));
      return { stream, first: await stream.next() };
    }, signal);
    try {
      if (!first.done) yield first.value;
      yield* stream;
    } finally {
      await stream.return(); // a reader who leaves early ends the request
    }
  };

  return {
    id: server.id,
    promptVersion: ANSWER_PROMPT_VERSION,
    write: (question, sources, language, signal) => streamed(answerPrompt(question, sources, language), signal),
    summarize: (points, sources, language, signal) => streamed(summaryPrompt(points, sources, language), signal),
  };
};
