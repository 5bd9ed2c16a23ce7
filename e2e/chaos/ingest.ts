import { type Client, clientOf, follow } from '../client.js';

/** How a document's paragraphs are counted: short ones, each under a heading of its own. */
export const PARAGRAPHS = 10;

const text = (name: string): string =>
  Array.from(
    { length: PARAGRAPHS },
    (_, p) => `## Section ${p}\n\nThe lighthouse ${name}-${p} was built by keeper ${name}${p}, who counted ${p} ships.`,
  ).join('\n\n');

/** Documents of one run, sent until each was taken, whatever dies meanwhile. */
export interface Ingest {
  /** Sends what was not taken yet, once. */
  send(): Promise<void>;
  /** Sends until all are taken, then follows each to READY. Throws what else they become. */
  finish(withinMs: number): Promise<void>;
  /** Until each that was taken has this state or a later one. */
  reach(status: 'SEARCHABLE' | 'READY', withinMs: number): Promise<void>;
}

export const ingestOf = (at: { url: string; key: string }, name: string, documents: number): Ingest => {
  const client: Client = clientOf(at, at.key);
  const ids = new Map<number, string>();
  const send = async (): Promise<void> => {
    for (let d = 0; d < documents; d++) {
      if (ids.has(d)) continue;
      const { status, body } = await client.upload(`${name}${d}.md`, text(`${name}${d}`), { sourceId: `${name}-${d}` });
      if (status === 202) ids.set(d, String(body.id));
    }
  };
  /** A front door that is just down is asked again. */
  const patiently = async <R>(ask: () => Promise<R>, until: number): Promise<R> => {
    for (;;)
      try {
        return await ask();
      } catch (error) {
        if (Date.now() > until) throw error;
        await new Promise((resolve) => setTimeout(resolve, 250));
      }
  };
  return {
    send: () => send().catch(() => undefined),
    reach: async (status, withinMs) => {
      for (const id of ids.values()) await follow(client, id, [status, 'READY', 'FAILED'], withinMs);
    },
    finish: async (withinMs) => {
      const until = Date.now() + withinMs;
      while (ids.size < documents) await patiently(send, until);
      for (const id of ids.values()) {
        const state = await patiently(() => follow(client, id, ['READY', 'FAILED'], until - Date.now()), until);
        const whole = { total: PARAGRAPHS, indexed: PARAGRAPHS, enriched: PARAGRAPHS, failed: 0, ready: PARAGRAPHS };
        if (state.status !== 'READY' || JSON.stringify(state.progress) !== JSON.stringify(whole))
          throw new Error(`A document ended otherwise: ${JSON.stringify(state)}`);
      }
    },
  };
};
