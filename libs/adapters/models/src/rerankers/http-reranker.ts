import { CodedError } from '@postmaster/contracts';
import type { RerankPassage, Reranker, RerankScore } from '@postmaster/retrieval';
import { OpenCalls } from '../encoders/open-calls.js';
import { type Patience, postJson } from '../encoders/post-json.js';
import { RERANKER_SERVICE } from '../model-service.js';
import { readInWindows } from './read-in-windows.js';
import type { IndexedScore, RerankProtocol } from './rerank-protocols.js';

export interface HttpRerankerOptions {
  /** With or without the path of its protocol; its maker's where absent. */
  url: string;
  model: string;
  apiKey?: string;
  /** Of question and passage together, as `estimateTokens` counts; 512 unless set. */
  maxTokens?: number;
  /** Of one request; the whole of a search's reranking has a limit of its own. */
  timeoutMs?: number;
}

/** A service that reranks, by its protocol. It is not called yet. */
export const httpReranker = (
  protocol: RerankProtocol,
  { url, model, apiKey, maxTokens = 512, timeoutMs = 30_000 }: HttpRerankerOptions,
): Reranker => {
  const { provider, maxTextsPerCall } = protocol;
  const id = model ? `${provider}:${model}` : `${provider}:${new URL(url).host}`;
  const endpoint = { service: RERANKER_SERVICE, url: addressOf(url, protocol.path), apiKey };
  const patience: Patience = { timeoutMs, retries: 1, longestPauseSeconds: 1 };
  const calls = new OpenCalls();

  const ask = async (
    query: string,
    passages: readonly RerankPassage[],
    signal: AbortSignal,
  ): Promise<readonly RerankScore[]> => {
    const texts = passages.map(({ text }) => text);
    const answer = await postJson(endpoint, protocol.request(model, query, texts), patience, signal);
    return inOrder(id, protocol.read(answer), texts.length);
  };

  return {
    ...{ id, maxTextsPerCall, maxTokens },
    rerank: (question, passages, signal) =>
      calls.run(
        (ending) =>
          readInWindows(question.text, passages, {
            maxTokens,
            perCall: maxTextsPerCall,
            ask: (asked, windows) => ask(asked, windows, ending),
          }),
        signal,
      ),
    close: async () => calls.endAll(new CodedError('RERANKER_UNREACHABLE', `The reranker "${id}" was closed.`)),
  };
};

/** The protocol's address, whether it, a version (/v1) or neither stands at the end of what was given. */
const addressOf = (url: string, path: string): string => url.replace(/(\/v\d+)?(\/rerank)?\/*$/, '') + path;

/** Services answer best first: back in the order of the texts, each exactly once. */
const inOrder = (id: string, results: readonly IndexedScore[] | undefined, count: number): readonly RerankScore[] => {
  const nonsense = (what: string): CodedError =>
    new CodedError('RERANKER_MALFORMED', `"${id}" should give a score for each of ${count} texts but gave ${what}.`);
  if (!results) throw nonsense('an answer of another form');
  if (results.length !== count) throw nonsense(`${results.length}`);
  const scores = new Map<number, number>();
  for (const { index, score } of results) {
    if (!Number.isInteger(index) || index < 0 || index >= count) throw nonsense(`one for text ${index}`);
    if (scores.has(index)) throw nonsense(`two for text ${index}`);
    if (score === null) throw nonsense('one that is no number');
    scores.set(index, score);
  }
  return Array.from({ length: count }, (_, index) => ({ score: scores.get(index)! })); // as many different ones as there are texts
};
