import { CodedError } from '@postmaster/contracts';
import { type Encoder, TextTooLongError } from '@postmaster/embedding';
import { bulkhead } from 'cockatiel';
import { ENCODER_SERVICE } from '../model-service.js';
import { cutWindows } from './cut-windows.js';
import { estimateTokens, PLAIN_BORDERS } from './estimate-tokens.js';
import { OpenCalls } from './open-calls.js';
import { passageHold } from './passage-hold.js';
import { type Patience, postJson } from './post-json.js';
import { prefixesOf } from './prefixes.js';
import { unitsOf } from './text-units.js';
import { unitVectors } from './unit-vectors.js';

export interface HttpEncoderOptions {
  url: string;
  model: string;
  apiKey?: string;
  /** What the vectors must have; found by the first call where it is absent. */
  dimension?: number;
  /** What the model takes, its prefix included, as `estimateTokens` counts. 512 unless set. */
  maxTokens?: number;
  /** Calls for passages at once; queries are not counted. 4 unless set. */
  concurrency?: number;
}

/** How one kind of service is asked. */
export interface EmbeddingProtocol {
  provider: string;
  path: string;
  maxTextsPerCall: number;
  /** Where the service takes fewer at once than a call may have, these go one after the other; all unless told. */
  textsPerRequest?: number;
  request(model: string, texts: readonly string[]): object;
  /** The vectors in the order of the texts; undefined where the answer has another form. */
  read(answer: unknown): readonly (readonly number[] | Float32Array)[] | undefined;
}

const PATIENCE: Record<'query' | 'passage', Patience> = {
  query: { timeoutMs: 5_000, retries: 1, longestPauseSeconds: 1 },
  passage: { timeoutMs: 60_000, retries: 4, longestPauseSeconds: 20 },
};

/** Asks the service for one vector, and resolves to an encoder of its dimension. */
export const connectHttpEncoder = async (
  protocol: EmbeddingProtocol,
  { url, model, apiKey, dimension, maxTokens = 512, concurrency = 4 }: HttpEncoderOptions,
): Promise<Encoder> => {
  const endpoint = { service: ENCODER_SERVICE, url: url.replace(/\/+$/, '') + protocol.path, apiKey };
  const prefixes = prefixesOf(model);
  const id = [`${protocol.provider}:${model}`, ...(prefixes ? [prefixes.name] : [])].join('+');
  const room = maxTokens - Math.max(estimateTokens(prefixes?.query ?? ''), estimateTokens(prefixes?.passage ?? ''));
  const calls = new OpenCalls();
  const holds = passageHold();
  const lane = bulkhead(concurrency, Infinity);

  const ask = async (texts: readonly string[], as: 'query' | 'passage', expected: number | undefined, signal: AbortSignal) => {
    const prefixed = texts.map((text) => (prefixes?.[as] ?? '') + text);
    const vectors: Float32Array[] = [];
    const atOnce = protocol.textsPerRequest ?? prefixed.length;
    for (let from = 0; from < prefixed.length; from += atOnce) {
      const some = prefixed.slice(from, from + atOnce);
      const answer = await postJson(endpoint, protocol.request(model, some), PATIENCE[as], signal);
      vectors.push(...unitVectors(protocol.read(answer), { encoder: id, count: some.length, dimension: expected }));
    }
    return vectors;
  };

  const [probe] = await calls.run((signal) => ask(['probe'], 'query', dimension, signal));
  const found = probe!.length;

  return {
    id,
    dimension: found,
    maxTokens: room,
    maxTextsPerCall: protocol.maxTextsPerCall,
    embed: async (texts, as, signal) => {
      if (texts.length === 0) return [];
      checkSizes(texts, { id, maxTokens: room, maxTextsPerCall: protocol.maxTextsPerCall });
      return calls.run((ending) => {
        if (as === 'query') return ask(texts, as, found, ending);
        return lane.execute(async () => {
          await holds.free();
          return ask(texts, as, found, ending);
        });
      }, signal);
    },
    windows: async (text) => cutWindows(text, unitsOf(text, PLAIN_BORDERS, estimateTokens), room),
    hold: holds.take,
    close: async () => {
      calls.endAll(new CodedError('ENCODER_UNREACHABLE', `The encoder "${id}" was closed.`));
      holds.end();
    },
  };
};

const checkSizes = (
  texts: readonly string[],
  { id, maxTokens, maxTextsPerCall }: { id: string; maxTokens: number; maxTextsPerCall: number },
): void => {
  if (texts.length > maxTextsPerCall)
    throw new CodedError('ENCODER_REFUSED', `"${id}" takes ${maxTextsPerCall} texts a call but was given ${texts.length}.`);
  for (const text of texts) {
    const tokens = estimateTokens(text);
    if (tokens > maxTokens) throw new TextTooLongError({ encoder: id, maxTokens, tokens });
  }
};
