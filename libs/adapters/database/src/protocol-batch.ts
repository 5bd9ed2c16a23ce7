import type { BackendMessage } from 'pg-protocol/dist/messages.js';
import { Parser } from 'pg-protocol/dist/parser.js';

const code = (letter: string): number => letter.charCodeAt(0);
/** Messages after which a client waits for an answer: Sync, Query, Flush, CopyData, CopyDone, CopyFail. */
const ASKS_FOR_ANSWER = new Set(['S', 'Q', 'H', 'd', 'c', 'f'].map(code));

/**
 * Sends a client's protocol messages on in batches that end where it expects an answer (one round trip for a
 * prepared query's five messages) and gives back the parsed answers.
 */
export const protocolBatch = (exchange: (bytes: Uint8Array) => Promise<Uint8Array>) => {
  const parser = new Parser();
  let held: Uint8Array[] = [];
  return async (bytes: Uint8Array): Promise<BackendMessage[]> => {
    held.push(bytes);
    if (!ASKS_FOR_ANSWER.has(bytes[0] ?? 0)) return [];
    const batch = Buffer.concat(held);
    held = [];
    const messages: BackendMessage[] = [];
    parser.parse(Buffer.from(await exchange(batch)), (message) => messages.push(message));
    return messages;
  };
};
