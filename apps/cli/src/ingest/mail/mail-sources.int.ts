import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createReadStream } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { collectSources } from '../collect-sources.js';
import type { FileSource } from '../source.js';
import { unquoteFrom } from './mailbox.js';

const LINE = 'From anna@example.org Tue Feb  3 10:02:11 2026';
const mail = (id: string | null, body: string): string =>
  `${id === null ? '' : `Message-ID: <${id}@x>\n`}From: Anna <a@example.org>\nSubject: x\n\n${body}\n`;

describe('mails as sources', () => {
  let cwd: string;
  beforeEach(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'postmaster-mails-'));
  });
  afterEach(() => rm(cwd, { recursive: true, force: true }));

  const collect = async (...args: string[]) => {
    const { sources, repeated } = await collectSources(args, cwd);
    return { sources: sources as FileSource[], repeated };
  };
  const read = ({ path, range }: FileSource): Promise<string> =>
    text(createReadStream(path, range).pipe(unquoteFrom()));

  it('are those of a mailbox, each with its own bytes and Message-ID', async () => {
    const mails = [
      mail('1', 'One.\n\nFrom here on we sail.\n\nFrom 2026: more.'),
      mail('2', `Two.\n\n>From there.\n>>From deeper.`),
      mail(null, 'Three.'),
    ];
    await writeFile(join(cwd, 'in.mbox'), mails.map((one) => `${LINE}\n${one}\n`).join(''));
    const { sources } = await collect('in.mbox');
    expect(sources.map(({ sourceType, sourceId, name }) => [sourceType, sourceId.slice(0, 7), name])).toEqual([
      ['mail', '<1@x>', 'mail.eml'],
      ['mail', '<2@x>', 'mail.eml'],
      ['mail', 'sha256:', 'mail.eml'],
    ]);
    expect(await Promise.all(sources.map(read))).toEqual([
      `${mails[0]}\n`,
      `${mails[1]?.replace('>From there', 'From there').replace('>>From', '>From')}\n`,
      `${mails[2]}\n`,
    ]);
  });

  it('are found wherever the pieces end in which the file is read', async () => {
    const filler = (length: number): string => `${'x'.repeat(99)}\n`.repeat(length / 100);
    const mails = Array.from({ length: 40 }, (_, index) => mail(String(index), filler(100_000 + index * 100)));
    await writeFile(join(cwd, 'big.mbox'), mails.map((one) => `${LINE}\n${one}\n`).join(''));
    const { sources } = await collect('big.mbox');
    expect(sources.map(({ sourceId }) => sourceId)).toEqual(mails.map((_, index) => `<${index}@x>`));
    expect(await read(sources[21] as FileSource)).toBe(`${mails[21]}\n`);
  });

  it('are taken once, and told of where they come again', async () => {
    await writeFile(
      join(cwd, 'in.mbox'),
      [mail('1', 'One.'), mail('1', 'Again.')].map((one) => `${LINE}\n${one}\n`).join(''),
    );
    const { sources, repeated } = await collect('in.mbox');
    expect([sources.length, repeated]).toEqual([1, ['<1@x>']]);
    expect(await read(sources[0] as FileSource)).toContain('One.');
  });

  it('are those of a Maildir and of its folders', async () => {
    for (const folder of ['cur', 'new', 'tmp', '.Sent/cur', '.Sent/new'])
      await mkdir(join(cwd, 'Maildir', folder), { recursive: true });
    await writeFile(join(cwd, 'Maildir/cur/1.host:2,S'), mail('1', 'One.'));
    await writeFile(join(cwd, 'Maildir/new/2.host'), mail('2', 'Two.'));
    await writeFile(join(cwd, 'Maildir/tmp/3.host'), mail('3', 'Unfinished.'));
    await writeFile(join(cwd, 'Maildir/.Sent/cur/4.host:2,'), mail('4', 'Sent.'));
    const { sources } = await collect('Maildir');
    expect(sources.map(({ sourceId }) => sourceId)).toEqual(['<1@x>', '<2@x>', '<4@x>']);
  });

  it('are not made of a text that begins like a mailbox', async () => {
    await writeFile(join(cwd, 'letter'), 'From here to there in 2026.\n\nFrom there on.');
    const { sources } = await collect('letter');
    expect(sources.map(({ sourceType }) => sourceType)).toEqual(['file']);
  });
});
