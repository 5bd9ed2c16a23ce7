import type { Metrics } from './metrics.js';

/** Counts each call to the model: how it ended, what it took, and the tokens where the model tells them. */
export const countModelCalls =
  ({ modelCalls, modelSeconds, modelTokens }: Metrics, model: string) =>
  (ms: number, outcome: string, usage?: { inputTokens: number; outputTokens: number }): void => {
    modelCalls.inc({ model, outcome });
    modelSeconds.observe({ model }, ms / 1000);
    if (!usage) return;
    modelTokens.inc({ model, direction: 'in' }, usage.inputTokens);
    modelTokens.inc({ model, direction: 'out' }, usage.outputTokens);
  };
