import { CodedError, type Facets, type Lane } from '@postmaster/contracts';
import type { FacetInput, FacetModel, FacetReply, TokenUsage } from './facet-model.js';
import type { ModelGate } from './model-gate.js';

/** Asks for the facets of a paragraph of this document, as `FacetModel.makeFacets` does. */
export type AskFacets = (document: string, input: FacetInput, signal: AbortSignal, lane: Lane) => Promise<FacetReply>;

interface Waiting {
  input: FacetInput;
  resolve(reply: FacetReply | Promise<FacetReply>): void;
  reject(error: unknown): void;
}

/** So long a paragraph waits for others of its document. */
const WAIT_MS = 100;

/**
 * Asks for paragraphs of one document together, as many as the model takes in a call; one by one where that is one. Each
 * has its own facets and its share of what the call took. What came in no form is asked for again, alone; so are all of
 * a call that came to nothing because of what was in it. `calls` keeps the calls to what the model takes.
 */
export const askTogether = (model: FacetModel, calls?: ModelGate): AskFacets => {
  const most = model.makeFacetsOf ? (model.paragraphsPerCall ?? 1) : 1;
  const open = new Map<string, Waiting[]>();
  return (document, input, signal, lane) => {
    const inTurn = async <T>(call: () => Promise<T>): Promise<T> => {
      const leave = await calls?.enter(lane, 'facets');
      try {
        return await call();
      } finally {
        leave?.();
      }
    };
    const alone = (one: FacetInput): Promise<FacetReply> => inTurn(() => model.makeFacets(one, signal, lane));
    if (most === 1 || input.rejected) return alone(input);

    const ask = async (group: readonly Waiting[]): Promise<void> => {
      const [first, ...rest] = group;
      if (!first) return;
      if (rest.length === 0) return first.resolve(alone(first.input));
      try {
        const inputs: [FacetInput, ...FacetInput[]] = [first.input, ...rest.map((one) => one.input)];
        const reply = await inTurn(async () => model.makeFacetsOf?.(inputs, signal, lane));
        const shares = sharesOf(reply?.usage ?? NOTHING, group.length);
        for (const [at, { input, resolve }] of group.entries())
          resolve(withShare(reply?.facets[at], shares[at] ?? NOTHING, () => alone(input)));
      } catch (error) {
        for (const { input, resolve, reject } of group)
          if (isOfTheTexts(error)) resolve(alone(input));
          else reject(error);
      }
    };

    const key = JSON.stringify([document, lane, input.title, input.language, input.prompt?.version]);
    const group = open.get(key) ?? [];
    const send = (): void => {
      if (open.get(key) !== group) return;
      open.delete(key);
      void ask(group);
    };
    return new Promise((resolve, reject) => {
      group.push({ input, resolve, reject });
      open.set(key, group);
      if (group.length === most) send();
      else if (group.length === 1) setTimeout(send, WAIT_MS);
    });
  };
};

const NOTHING: TokenUsage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, calls: 0 };

/** A model that is out is out for each of them. */
const isOfTheTexts = (error: unknown): boolean =>
  error instanceof CodedError &&
  (error.code === 'MODEL_MALFORMED' || error.code === 'MODEL_DECLINED' || error.code === 'MODEL_TEXT_TOO_LONG');

const withShare = async (
  facets: Facets | undefined,
  share: TokenUsage,
  alone: () => Promise<FacetReply>,
): Promise<FacetReply> => {
  if (facets) return { facets, usage: share };
  const reply = await alone();
  return { ...reply, usage: sumOf(share, reply.usage) };
};

/** Even shares that come to the whole; the calls are the first one's. */
const sharesOf = ({ inputTokens, outputTokens, cachedTokens = 0, calls = 1 }: TokenUsage, among: number) =>
  Array.from({ length: among }, (_, at): TokenUsage => {
    const share = (tokens: number) => Math.floor(tokens / among) + (at < tokens % among ? 1 : 0);
    return {
      ...{ inputTokens: share(inputTokens), outputTokens: share(outputTokens), cachedTokens: share(cachedTokens) },
      calls: at === 0 ? calls : 0,
    };
  });

const sumOf = (one: TokenUsage, other: TokenUsage): TokenUsage => ({
  inputTokens: one.inputTokens + other.inputTokens,
  outputTokens: one.outputTokens + other.outputTokens,
  cachedTokens: (one.cachedTokens ?? 0) + (other.cachedTokens ?? 0),
  calls: (one.calls ?? 1) + (other.calls ?? 1),
});
