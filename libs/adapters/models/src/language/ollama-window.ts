import { z } from 'zod';

/** Memory for it is set aside with the model, so not all of a large one is taken unless it is asked for. */
const USUAL = 8_192;
const BELIEVED_MS = 3_600_000;

/** Of /api/show: the length stands under the architecture's name, as "llama.context_length". */
const Shown = z.object({ model_info: z.record(z.string(), z.unknown()) });

export interface OllamaPlace {
  base: string;
  model: string;
  headers: Record<string, string>;
  /** Taken as it is. */
  windowTokens?: number;
}

/**
 * The window that a model is asked for in each call: what was set, else 8,192 tokens, or all that the model has where
 * that is less. The same for all tasks: another one loads the model anew.
 */
export const ollamaWindow = (
  { base, model, headers, windowTokens }: OllamaPlace,
  now: () => number = Date.now,
): ((fetch: typeof globalThis.fetch) => Promise<number>) => {
  let known: { at: number; window: Promise<number> } | undefined;

  const ask = async (fetch: typeof globalThis.fetch): Promise<number> => {
    const body = JSON.stringify({ model });
    const reply = await fetch(`${base}/api/show`, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body },
    });
    const { model_info: info } = Shown.parse(await reply.json());
    const [length] = Object.entries(info).flatMap(([name, value]) => (name.endsWith('.context_length') ? [value] : []));
    return Math.min(USUAL, z.number().positive().parse(length));
  };

  return (fetch) => {
    if (windowTokens) return Promise.resolve(windowTokens);
    if (known && now() - known.at < BELIEVED_MS) return known.window;
    const window = ask(fetch);
    known = { at: now(), window };
    // Not every server tells, and what is wrong with this one the call itself will show.
    const told = window.catch(() => {
      known = undefined;
      return USUAL;
    });
    known.window = told;
    return told;
  };
};
