import type { Metrics } from './metrics.js';

/** Counts each call to the model: how it ended, what it took, and the tokens where the model tells them; under the usual model unless another one answered. */
export const countModelCalls =
  ({ modelCalls, modelSeconds, modelTokens }: Metrics, usual: string) =>
  (ms: number, outcome: string, usage?: { inputTokens: number; outputTokens: number }, model = usual): void => {
    modelCalls.inc({ model, outcome });
    modelSeconds.observe({ model }, ms / 1000);
    if (!usage) return;
    modelTokens.inc({ model, direction: 'in' }, usage.inputTokens);
    modelTokens.inc({ model, direction: 'out' }, usage.outputTokens);
  };
