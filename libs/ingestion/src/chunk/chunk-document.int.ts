import { describe, expect, it } from 'vitest';
import { CHUNKINGS, CodedError } from '@postmaster/contracts';
import type { Block } from '../block.js';
import { chunkDocument } from './chunk-document.js';
import { STRATEGIES } from './strategies.js';

const SETTINGS = { words: 60, long: 'split' as const };

/** Paragraphs of a few sentences under headings, of 288 KB in all. */
const large = () => {
  const blocks: Block[] = [];
  let text = '';
  const add = (block: Pick<Block, 'kind' | 'level'>, words: string): void => {
    const start = text.length;
    text += `${words}\n\n`;
    blocks.push({ ...block, start, end: start + words.length });
  };
  for (let at = 0; text.length < 288 * 1024; at++) {
    if (at % 20 === 0) add({ kind: 'heading', level: 2 }, `Chapter ${at}`);
    add(
      { kind: 'text' },
      `The keeper wrote page ${at}. It tells of ${at % 7} ships. The wind stood in the north. `.repeat(4).trim(),
    );
  }
  return { text, blocks, language: 'en', pageStarts: [] };
};
/** Vectors that tell the texts apart. */
const encode = async (texts: readonly string[]): Promise<Float32Array[]> =>
  texts.map((text) => Float32Array.from([Math.cos(text.length), Math.sin(text.length)]));

describe('a large document', () => {
  const document = large();

  it.each(CHUNKINGS)('is cut by "%s" in its thread as it is without one', async (chunking) => {
    const apart = await chunkDocument(document, { chunking, ...SETTINGS }, encode);
    expect(apart.length).toBeGreaterThan(100);
    expect(apart).toEqual(await STRATEGIES[chunking](document, SETTINGS, encode));
  });

  it('leaves its caller free meanwhile', async () => {
    let turns = 0;
    const counting = setInterval(() => turns++, 1);
    await chunkDocument(document, { chunking: 'paragraphs', ...SETTINGS }, encode);
    clearInterval(counting);
    expect(turns).toBeGreaterThan(0);
  });

  it('is refused with the code that its strategy refuses it with', async () => {
    const refused = chunkDocument(document, { chunking: 'paragraphs', words: 10, long: 'refuse' }, encode);
    await expect(refused).rejects.toMatchObject({
      code: 'PARAGRAPH_TOO_LONG',
      message: expect.stringContaining('The keeper wrote page 0.'),
      status: 422,
    });
  });

  it('fails as its encoder does', async () => {
    const out = new CodedError('ENCODER_UNREACHABLE', 'It is out.');
    const failing = chunkDocument(document, { chunking: 'semantic', ...SETTINGS }, () => Promise.reject(out));
    await expect(failing).rejects.toBe(out);
  });
});
