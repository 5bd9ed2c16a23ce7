import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Transform } from 'node:stream';
import { messageIdIn } from '@postmaster/contracts';

/** One mail of a mailbox file: its bytes, both ends included, and what it is known by. */
export interface MailboxPart {
  start: number;
  end: number;
  messageId: string | null;
  /** Hex SHA-256 of the bytes. */
  hash: string;
}

const CHUNK = 1024 * 1024;
/** A mail's headers are looked at this far. */
const HEAD = 64 * 1024;
/** The line before a mail and the beginning of its first header: no more is looked at to tell it. */
const AHEAD = 1024;
/** "From anna@example.org Tue Feb  3 10:02:11 2026", then a header (RFC 4155): text may have a line that begins with "From ". */
const ENVELOPE = /^From [^\n]*\d{4}[^\n]*\r?\n(>?[A-Za-z][\w-]*:|>?From )/;

export const isMailbox = async (path: string): Promise<boolean> => {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(AHEAD), 0, AHEAD, 0);
    return ENVELOPE.test(buffer.toString('latin1', 0, bytesRead));
  } finally {
    await file.close();
  }
};

/** The mails of a mailbox (mbox) in order. Reads on as they are taken, a megabyte at a time, whatever the file's size. */
export async function* mailsIn(path: string): AsyncGenerator<MailboxPart> {
  let rest = Buffer.alloc(0);
  let at = 0; // of `rest` in the file
  let mail: Opened | null = null;
  const pass = (bytes: Buffer): void => {
    mail?.take(bytes);
    at += bytes.byteLength;
  };
  for await (const { chunk, isLast } of chunksOf(path)) {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const next = nextEnvelope(rest, at === 0 && mail === null);
      if (next < 0 || (!isLast && next + AHEAD > rest.byteLength)) break;
      pass(rest.subarray(0, next));
      if (mail) yield mail.close(at);
      const line = rest.indexOf(0x0a, next) + 1;
      mail = opened(at + line - next);
      at += line - next;
      rest = rest.subarray(line);
    }
    const kept = isLast ? 0 : Math.min(rest.byteLength, AHEAD);
    const done = rest.byteLength - kept;
    pass(rest.subarray(0, done));
    rest = rest.subarray(done);
  }
  if (mail) yield mail.close(at);
}

interface Opened {
  take(bytes: Buffer): void;
  close(end: number): MailboxPart;
}

const opened = (start: number): Opened => {
  const hash: Hash = createHash('sha256');
  let head = Buffer.alloc(0);
  return {
    take: (bytes) => {
      hash.update(bytes);
      if (head.byteLength < HEAD) head = Buffer.concat([head, bytes.subarray(0, HEAD - head.byteLength)]);
    },
    close: (end) => ({
      start,
      end: end - 1,
      messageId: messageIdIn(head.toString('latin1')),
      hash: hash.digest('hex'),
    }),
  };
};

/** Where the next mail's envelope line begins; -1 where none does. It follows an empty line, or begins the file. */
const nextEnvelope = (bytes: Buffer, fromStart: boolean): number => {
  const isOne = (place: number): boolean => ENVELOPE.test(bytes.toString('latin1', place, place + AHEAD));
  if (fromStart && isOne(0)) return 0;
  for (let place = bytes.indexOf('\nFrom '); place >= 0; place = bytes.indexOf('\nFrom ', place + 1)) {
    const before = bytes[place - 1] === 0x0d ? place - 2 : place - 1;
    if ((bytes[before] === 0x0a || before < 0) && isOne(place + 1)) return place + 1;
  }
  return -1;
};

async function* chunksOf(path: string): AsyncGenerator<{ chunk: Buffer; isLast: boolean }> {
  let held: Buffer | null = null;
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK })) {
    if (held) yield { chunk: held, isLast: false };
    held = chunk as Buffer; // no encoding is set
  }
  yield { chunk: held ?? Buffer.alloc(0), isLast: true };
}

/** Takes one ">" from lines that the mailbox wrote ">From " for "From ", at any depth (mboxrd). */
export const unquoteFrom = (): Transform => {
  let rest = '';
  const plain = (text: string): Buffer => Buffer.from(text.replace(/^>(>*From )/gm, '$1'), 'latin1');
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      const text = rest + chunk.toString('latin1');
      const end = text.lastIndexOf('\n') + 1;
      rest = text.slice(end);
      done(null, plain(text.slice(0, end)));
    },
    flush: (done) => done(null, plain(rest)),
  });
};
