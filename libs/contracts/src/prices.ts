import type { ModelCalls } from './events.js';

/** Of one model, for a million tokens. */
export interface Price {
  input: number;
  output: number;
  /** Of input that the provider reads from its cache; as `input` unless told. */
  cached?: number;
}

/** By model, "openai:gpt-4o-mini"; `*` at an end stands for any ending, and the longest that fits counts. */
export interface Prices {
  currency: string;
  models: Readonly<Record<string, Price>>;
}

export const NO_PRICES: Prices = { currency: 'USD', models: {} };

/** Undefined where it is not known. */
export const priceOf = ({ models }: Prices, model: string): Price | undefined => {
  const fits = (name: string): boolean => (name.endsWith('*') ? model.startsWith(name.slice(0, -1)) : name === model);
  const [best] = Object.keys(models)
    .filter(fits)
    .sort((a, b) => b.length - a.length);
  return best === undefined ? undefined : models[best];
};

/** What these calls cost, in the currency of the prices; undefined where no price is known. */
export const moneyOf = (
  price: Price | undefined,
  { inputTokens, outputTokens, cachedTokens }: Pick<ModelCalls, 'inputTokens' | 'outputTokens' | 'cachedTokens'>,
): number | undefined => {
  if (!price) return undefined;
  const { input, output, cached = input } = price;
  return ((inputTokens - cachedTokens) * input + cachedTokens * cached + outputTokens * output) / 1e6;
};
