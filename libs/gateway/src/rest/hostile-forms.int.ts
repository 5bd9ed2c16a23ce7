import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KEYS, StandInServices } from '../../test/stand-in-services.js';
import type { Gateway } from '../index.js';

const MANY = 100_000;
const services = new StandInServices();
let gateway: Gateway;
let url: string;

beforeAll(async () => {
  gateway = await services.start({ maxDocumentBytes: 64 * 1024 });
  url = await gateway.listen();
});
afterAll(() => gateway.close());

const open = '--part\r\ncontent-disposition: form-data; name="';
const field = (name: string): string => `${open}${name}"\r\n\r\nx\r\n`;
const file = (name: string): string => `${open}file"; filename="${name}"\r\n\r\nx\r\n`;
const END = '--part--\r\n';

interface Answer {
  status?: number;
  body: { code?: string };
}

/** Sends until it is answered or there is no more. */
const send = async (pieces: Iterable<string>): Promise<Answer> => {
  const sending = request(`${url}/api/v1/documents`, {
    method: 'POST',
    headers: { 'x-api-key': KEYS.acme, 'content-type': 'multipart/form-data; boundary=part' },
  });
  let answered = false;
  const answer = new Promise<Answer>((resolve, reject) => {
    sending.on('response', (response) => {
      answered = true;
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode, body: JSON.parse(Buffer.concat(chunks).toString()) }),
      );
    });
    sending.on('error', (error) => answered || reject(error)); // cut off after the answer
  });
  for (const piece of pieces) {
    if (answered || sending.destroyed) break;
    if (!sending.write(piece)) await Promise.race([once(sending, 'drain'), answer]).catch(() => undefined);
  }
  if (!answered) sending.end();
  const said = await answer;
  sending.destroy();
  return said;
};

const repeated = function* (times: number, piece: (at: number) => string, before = '', after = END): Generator<string> {
  yield before;
  for (let at = 0; at < times; at++) yield piece(at);
  yield after;
};

describe('a form that is made to exhaust who reads it', () => {
  const MB = 1024 * 1024;
  const block = 'x'.repeat(MB);
  it.each<[what: string, pieces: () => Iterable<string>, says: RegExp]>([
    ['of 100,000 fields', () => repeated(MANY, (at) => field(`f${at}`)), /at most 50 fields/],
    ['of 100,000 fields of one name', () => repeated(MANY, () => field('title')), /at most 50 fields/],
    [
      'of 100,000 parts without a name',
      () => repeated(MANY, () => '--part\r\ncontent-type: text/plain\r\n\r\nx\r\n'),
      /at most 50 fields/,
    ],
    ['with a field of 100 MB', () => repeated(100, () => block, `${open}title"\r\n\r\n`, `\r\n${END}`), /too long/],
    ['whose field has no end', () => repeated(Infinity, () => block, `${open}title"\r\n\r\n`), /too long/],
    ['with a preamble that has no end', () => repeated(Infinity, () => block), /too long/],
  ])('is refused before its end, and nothing of it is kept: %s', async (_what, pieces, says) => {
    const { status, body } = await send(pieces());
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'INPUT_INVALID', detail: expect.stringMatching(says) });
    expect(services.files.size).toBe(0);
  });

  it('of 100,000 files has no more of them taken than an upload may hold', async () => {
    const { body } = await send(repeated(MANY, (at) => file(`${at}.txt`)));
    expect(body).toBeDefined();
    expect(services.files.size).toBeLessThanOrEqual(100);
  });
});
