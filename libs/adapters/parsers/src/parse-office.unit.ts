import { describe, expect, it } from 'vitest';
import { sampleDoc, sampleEpub, sampleOdt } from '@postmaster/testing';
import { parseBytes } from './parse-bytes.js';
import { codePointSlices } from './plain-text.js';

/** Kind and text of each block, as one line. */
const blocksOf = async (file: Uint8Array): Promise<string[]> => {
  const { text, blocks } = await parseBytes(file, 'upload.bin');
  return codePointSlices(text, blocks).map((own, index) => `${blocks[index]?.kind} ${own}`);
};
const facts = { title: 'Personalehåndbog', author: 'HR', created: '2024-02-01T09:00:00Z' };
const ferie = 'Ferie aftales med din leder senest tre måneder før, og den skal holdes inden årets udgang.';

describe('ODT', () => {
  const file = sampleOdt(
    [
      { heading: 'Håndbog', level: 1 },
      ferie,
      { list: ['fem uger', 'seks fridage'] },
      {
        table: [
          ['Måned', 'Dage'],
          ['Maj', '2 & 3'],
        ],
      },
    ],
    facts,
  );

  it('gives headings, paragraphs, lists and tables in order, and its properties', async () => {
    expect(await blocksOf(file)).toEqual([
      'heading Håndbog',
      `text ${ferie}`,
      'list - fem uger\n- seks fridage',
      'table Måned | Dage\nMaj | 2 & 3',
    ]);
    expect(await parseBytes(file, 'a.odt')).toMatchObject({
      contentType: 'application/vnd.oasis.opendocument.text',
      title: 'Personalehåndbog',
      createdAt: '2024-02-01T09:00:00.000Z',
      language: 'da',
      metadata: { author: 'HR' },
    });
  });
});

describe('EPUB', () => {
  const file = sampleEpub(
    ['<h1>Første kapitel</h1><p>Byen byggede havnen.</p>', `<h2>Andet kapitel</h2><p>${ferie}</p>`],
    {
      ...facts,
      language: 'da-DK',
    },
  );

  it('gives the chapters in the order of the book, not of the archive, and its properties', async () => {
    expect(await blocksOf(file)).toEqual([
      'heading Første kapitel',
      'text Byen byggede havnen.',
      'heading Andet kapitel',
      `text ${ferie}`,
    ]);
    expect(await parseBytes(file, 'a.epub')).toMatchObject({
      contentType: 'application/epub+zip',
      title: 'Personalehåndbog',
      createdAt: '2024-02-01T09:00:00.000Z',
      metadata: { author: 'HR' },
    });
  });
});

describe('DOC', () => {
  it('gives headings that are numbered, paragraphs and lists', async () => {
    const file = sampleDoc(['1.2 Ferie', ferie, '• fem uger', '• seks fridage', 'Det var det.']);
    expect((await parseBytes(file, 'upload.bin')).contentType).toBe('application/msword');
    expect(await blocksOf(file)).toEqual([
      'heading 1.2 Ferie',
      `text ${ferie}`,
      'list • fem uger\n• seks fridage',
      'text Det var det.',
    ]);
  });
});
