import type { PlanModel } from '@postmaster/retrieval';
import { NEVER_AGAIN } from './ask-again.js';
import { askChain } from './ask-chain.js';
import type { CallSettings } from './ask-in-form.js';
import type { ModelChain } from './model-chain.js';

/** Query plans from a chat model, each asked for once. */
export const chatPlans = (chain: ModelChain, settings: CallSettings = {}): PlanModel => {
  const ask = askChain(chain, { ...settings, again: NEVER_AGAIN });
  return {
    id: chain.servers[0].id,
    fill: (prompt, { reply: schema, ...form }, signal, onPaid) => ask({ prompt, form, schema, onPaid }, signal),
  };
};
