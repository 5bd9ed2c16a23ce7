import { CodedError, type Failure, failure, failureOf } from '@postmaster/contracts';
import type { Reranker, TimedReranker } from '@postmaster/retrieval';
import { rerankerFromFolder } from './folder-reranker.js';
import { httpReranker } from './http-reranker.js';
import { RERANK_PROTOCOLS } from './rerank-protocols.js';

/** The variables that name a reranker, and how long rerankers may take. */
export const RERANKER_VARIABLES = [
  'RERANKER_PROVIDER',
  'RERANKER_URL',
  'RERANKER_FOLDER',
  'RERANKER_MODEL',
  'RERANKER_API_KEY',
  'RERANKER_MAX_TOKENS',
  'RERANKER_THREADS',
  'RERANKER_TIMEOUT_MS',
  'JUDGE_TIMEOUT_MS',
] as const;

/** Environment variables, parsed. With no provider named, none. */
export interface RerankerConfig {
  RERANKER_PROVIDER?: 'cohere' | 'jina' | 'tei' | 'onnx';
  RERANKER_URL?: string;
  RERANKER_FOLDER?: string;
  RERANKER_MODEL?: string;
  RERANKER_API_KEY?: string;
  RERANKER_MAX_TOKENS?: number;
  RERANKER_THREADS?: number;
}

/** The configured reranker, loaded but not tried; CONFIG_INVALID where a variable is missing or a folder is not whole. */
export const rerankerFromConfig = async (config: RerankerConfig): Promise<Reranker | undefined> => {
  const { RERANKER_PROVIDER: provider, RERANKER_MAX_TOKENS: maxTokens } = config;
  if (!provider) return undefined;
  const needs = (variable: string): CodedError =>
    new CodedError('CONFIG_INVALID', `RERANKER_PROVIDER is "${provider}", which also needs ${variable}.`);
  if (provider === 'onnx') {
    if (!config.RERANKER_FOLDER) throw needs('RERANKER_FOLDER');
    return rerankerFromFolder(config.RERANKER_FOLDER, { threads: config.RERANKER_THREADS, maxTokens });
  }
  const protocol = RERANK_PROTOCOLS[provider];
  const url = config.RERANKER_URL ?? protocol.home;
  if (!url) throw needs('RERANKER_URL');
  if (!config.RERANKER_MODEL && provider !== 'tei') throw needs('RERANKER_MODEL');
  const { username, password } = new URL(url);
  if (username || password)
    throw new CodedError('CONFIG_INVALID', 'RERANKER_URL holds a name or password; give a key in RERANKER_API_KEY.');
  return httpReranker(protocol, { url, model: config.RERANKER_MODEL ?? '', apiKey: config.RERANKER_API_KEY, maxTokens });
};

/** What a search may be reranked by, each with its time limit. */
export const timedRerankers = (
  config: { RERANKER_TIMEOUT_MS: number; JUDGE_TIMEOUT_MS: number },
  crossEncoder: Reranker | undefined,
  judge: Reranker | undefined,
): { 'cross-encoder'?: TimedReranker; judge?: TimedReranker } => ({
  ...(crossEncoder && { 'cross-encoder': { reranker: crossEncoder, timeoutMs: config.RERANKER_TIMEOUT_MS } }),
  ...(judge && { judge: { reranker: judge, timeoutMs: config.JUDGE_TIMEOUT_MS } }),
});

const TRY_MS = 10_000; // the first call of a service loads its model

/** One small real call, with no other try than a reranker's own. */
export const tryReranker = async (
  reranker: Reranker,
  signal: AbortSignal = AbortSignal.timeout(TRY_MS),
): Promise<{ ok: true; tookMs: number } | { ok: false; failure: Failure }> => {
  const began = performance.now();
  try {
    const scores = await reranker.rerank(SAMPLE.question, SAMPLE.passages, signal);
    if (scores.length !== SAMPLE.passages.length || !scores.every(({ score }) => Number.isFinite(score)))
      throw new CodedError('RERANKER_MALFORMED', `"${reranker.id}" does not give a number for each passage.`);
    return { ok: true, tookMs: performance.now() - began };
  } catch (error) {
    const seconds = Math.round((performance.now() - began) / 1000);
    if (signal.aborted)
      return { ok: false, failure: failure('RERANKER_LATE', `"${reranker.id}" gave no answer for ${seconds} s.`) };
    if (!(error instanceof CodedError)) throw error;
    return { ok: false, failure: failureOf(error) };
  }
};

const SAMPLE = {
  question: { text: 'When does the library open?', language: 'en' },
  passages: [
    { title: 'Opening hours', trail: [], text: 'The library in Aarhus opens at eight on weekdays.' },
    { title: 'Harbour', trail: [], text: 'The old harbour lies north of the town.' },
  ],
};
