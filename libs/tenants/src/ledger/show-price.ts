import { NO_PRICES, type Price, priceOf } from '@postmaster/contracts';
import type { UsagePorts } from './show-usage.js';

/** What a model takes for a million tokens; null where no price is set for it. */
export const showPrice =
  ({ prices = NO_PRICES }: Pick<UsagePorts, 'prices'>) =>
  (model: string): (Required<Price> & { currency: string }) | null => {
    const price = priceOf(prices, model);
    return price ? { currency: prices.currency, cached: price.input, ...price } : null;
  };
