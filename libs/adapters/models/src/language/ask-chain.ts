import type { z } from 'zod';
import { type Asked, askInForm, type CallSettings, type Usage } from './ask-in-form.js';
import type { ModelChain } from './model-chain.js';

/** Asks the models of a chain for replies of a form; tells which one gave it. */
export const askChain = (chain: ModelChain, settings: CallSettings = {}) => {
  const asks = new Map(chain.servers.map((server) => [server, askInForm(server, settings)]));
  return <S extends z.ZodType>(
    asked: Asked<S>,
    signal?: AbortSignal,
  ): Promise<{ reply: z.output<S>; usage: Usage; model: string }> =>
    chain.first(async (server) => {
      const ask = asks.get(server) ?? askInForm(server, settings);
      return { ...(await ask(asked, signal)), model: server.id };
    });
};
