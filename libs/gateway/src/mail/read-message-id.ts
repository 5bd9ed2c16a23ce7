import { Readable } from 'node:stream';
import { messageIdIn } from '@postmaster/contracts';

/** Headers are looked for this far. */
const MAX_HEAD = 256 * 1024;

/** A mail's Message-ID, with its angle brackets, and the mail again from its beginning; null where its headers have none. */
export const readMessageId = async (mail: Readable): Promise<{ messageId: string | null; mail: Readable }> => {
  const chunks = mail.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>; // bytes: no encoding is set
  let head = Buffer.alloc(0);
  while (head.byteLength < MAX_HEAD && !/\r?\n\r?\n/.test(head.toString('latin1'))) {
    const { value, done } = await chunks.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  const whole = async function* (): AsyncGenerator<Buffer> {
    if (head.byteLength > 0) yield head;
    yield* { [Symbol.asyncIterator]: () => chunks };
  };
  return { messageId: messageIdIn(head.toString('latin1')), mail: Readable.from(whole(), { objectMode: false }) };
};
