import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CodedError } from '@postmaster/contracts';
import {
  docxBomb,
  encryptedPdf,
  sampleDoc,
  sampleDocx,
  sampleEpub,
  sampleOdt,
  samplePdf,
  samplePptx,
  sampleXlsx,
} from '@postmaster/testing';
import { childProcessParser } from './child-process-parser.js';

const LIMITS = { timeoutMs: 60_000, memoryMb: 512 };
const text = 'The harbour was built by the town itself, which paid for it with a tax on herring.';
let folder: string;
const parser = childProcessParser({ poolSize: 1 });

const stored = async (name: string, bytes: string | Uint8Array): Promise<{ path: string; name: string }> => {
  const file = path.join(folder, name);
  await writeFile(file, bytes);
  return { path: file, name };
};
const failureOf = (work: Promise<unknown>): Promise<CodedError> =>
  work.then(
    () => Promise.reject(new Error('should have failed')),
    (error: CodedError) => error,
  );

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'parser-'));
});
afterAll(async () => {
  await parser.close();
  await rm(folder, { recursive: true });
});

describe('childProcessParser', () => {
  it('reads every format in its process', async () => {
    const files = [
      await stored('a.txt', text),
      await stored('b.md', `# Harbour\n\n${text}`),
      await stored('c.html', `<html><body><p>${text}</p></body></html>`),
      await stored('d.pdf', samplePdf([[text]])),
      await stored('e.docx', sampleDocx([text])),
      await stored('f.doc', sampleDoc([text])),
      await stored('g.pptx', samplePptx([{ body: [text] }])),
      await stored('h.xlsx', sampleXlsx({ Harbour: [[text]] })),
      await stored('i.odt', sampleOdt([text])),
      await stored('j.epub', sampleEpub([`<p>${text}</p>`])),
      await stored('k.rtf', `{\\rtf1 ${text}\\par}`),
      await stored('l.csv', `Year;Note\n1650;${text}\n`),
      await stored('m.json', JSON.stringify({ note: text })),
    ];
    for (const file of files) expect((await parser.parse(file, LIMITS)).text).toContain(text);
  });

  it('passes coded failures on, with what to do next, and reads the next document', async () => {
    const failure = await failureOf(parser.parse(await stored('secret.pdf', encryptedPdf()), LIMITS));
    expect(failure).toMatchObject({ code: 'PASSWORD_NEEDED', next: expect.stringContaining('password') });
    expect((await parser.parse(await stored('next.txt', text), LIMITS)).text).toBe(text);
  });

  it('reads as many documents as it is given at once, in turn', async () => {
    const files = await Promise.all(
      Array.from({ length: 12 }, (_, index) => stored(`${index}.txt`, `${text} ${index}`)),
    );
    const parsed = await Promise.all(files.map((file) => parser.parse(file, LIMITS)));
    expect(parsed.map((document) => document.text)).toEqual(files.map((_, index) => `${text} ${index}`));
  });

  it('ends a document that takes too long, and the next one is read', async () => {
    const huge = await stored('huge.html', `<html><body>${`<div><p>${text}</p></div>`.repeat(60_000)}</body></html>`);
    const failure = await failureOf(parser.parse(huge, { ...LIMITS, timeoutMs: 50 }));
    expect(failure).toMatchObject({ code: 'PARSE_TIMEOUT', message: expect.stringContaining('0.05 s') });
    expect((await parser.parse(await stored('after.txt', text), LIMITS)).text).toBe(text);
  });

  it('ends a document that takes too much memory, and the next one is read', async () => {
    const bomb = await stored('bomb.html', `<html><body>${`<div><p>${text}</p></div>`.repeat(100_000)}</body></html>`);
    const failure = await failureOf(parser.parse(bomb, { ...LIMITS, memoryMb: 256 }));
    expect(failure).toMatchObject({ code: 'PARSE_MEMORY', message: expect.stringContaining('256 MB') });
    expect((await parser.parse(await stored('after.txt', text), LIMITS)).text).toBe(text);
  });

  it('stops a zip bomb', async () => {
    const failure = await failureOf(parser.parse(await stored('bomb.docx', docxBomb(3000)), LIMITS));
    expect(['DOCUMENT_BROKEN', 'PARSE_MEMORY']).toContain(failure.code);
  });

  it('gives up a document when asked to', async () => {
    const stop = new AbortController();
    const work = parser.parse(await stored('big.html', `<p>${text}</p>`.repeat(60_000)), LIMITS, stop.signal);
    stop.abort(new Error('shutting down'));
    await expect(work).rejects.toThrow('shutting down');
  });

  it('fails as unexpected, not as a broken document, when the file is gone', async () => {
    const missing = { path: path.join(folder, 'missing'), name: 'missing.txt' };
    await expect(parser.parse(missing, LIMITS)).rejects.toThrow(/ENOENT/);
  });

  it('gives its process no environment, and leaves none behind when closed', async () => {
    const own = childProcessParser({ poolSize: 1 });
    process.env['SECRET_OF_THE_TEST'] = 'hidden';
    await own.parse(await stored('x.txt', text), LIMITS);
    const children = await childrenOf(process.pid);
    for (const pid of children) expect(await readFile(`/proc/${pid}/environ`, 'utf8')).not.toContain('hidden');
    await own.close();
    expect((await childrenOf(process.pid)).length).toBeLessThan(children.length || 1);
  });
});

/** Process ids, on Linux; none elsewhere. */
const childrenOf = async (pid: number): Promise<string[]> =>
  (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => ''))
    .split(' ')
    .filter((child) => child !== '');
