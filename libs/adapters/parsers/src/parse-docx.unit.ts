import { describe, expect, it } from 'vitest';
import { sampleDocx } from '@postmaster/testing';
import { parseBytes } from './parse-bytes.js';
import { codePointSlices } from './plain-text.js';

describe('DOCX', () => {
  const file = sampleDocx(
    [
      { heading: 'Håndbog', level: 1 },
      'Ferie aftales med din leder senest tre måneder før, og den skal holdes inden årets udgang.',
      { list: ['fem uger', 'seks fridage'] },
      {
        table: [
          ['Måned', 'Dage'],
          ['Maj', '2 & 3'],
        ],
      },
    ],
    { title: 'Personalehåndbog', author: 'HR', created: '2024-02-01T09:00:00Z' },
  );

  it('gives headings, paragraphs, lists and tables in order, and no pages', async () => {
    const parsed = await parseBytes(file, 'upload.bin');
    expect(parsed.contentType).toBe('application/vnd.openxmlformats-officedocument.wordprocessingml.document');
    expect(codePointSlices(parsed.text, parsed.blocks)).toEqual([
      'Håndbog',
      'Ferie aftales med din leder senest tre måneder før, og den skal holdes inden årets udgang.',
      '- fem uger\n- seks fridage',
      'Måned | Dage\nMaj | 2 & 3',
    ]);
    expect(parsed.blocks.map(({ kind }) => kind)).toEqual(['heading', 'text', 'list', 'table']);
    expect(parsed.pageStarts).toBeUndefined();
    expect(parsed.language).toBe('da');
  });

  it('takes title, author and date from its properties', async () => {
    const parsed = await parseBytes(file, 'upload.docx');
    expect([parsed.title, parsed.createdAt]).toEqual(['Personalehåndbog', '2024-02-01T09:00:00.000Z']);
    expect(parsed.metadata['author']).toBe('HR');
  });
});
