import { describe, expect, it } from 'vitest';
import { samplePptx } from '@postmaster/testing';
import { parseBytes } from './parse-bytes.js';
import { codePointSlices } from './plain-text.js';

describe('PPTX', () => {
  const file = samplePptx(
    [
      {
        title: 'Havnens år',
        body: ['Sild & torsk', '\tfanget i sundet', 'Salt'],
        notes: 'Husk at nævne told og afgifter.',
      },
      {
        title: 'Tal',
        table: [
          ['Art', 'Tons'],
          ['Sild', '250'],
        ],
        picture: 'file:///etc/passwd',
      },
    ],
    { title: 'Årsberetning', author: 'Havnefogeden', created: '2024-02-01T09:00:00Z' },
  );

  it('gives each slide by its number: title, text by level, tables, the notes last, and no slide numbers', async () => {
    const { contentType, text, blocks } = await parseBytes(file, 'upload.bin');
    expect(contentType).toBe('application/vnd.openxmlformats-officedocument.presentationml.presentation');
    expect(codePointSlices(text, blocks).map((own, index) => [blocks[index]?.kind, blocks[index]?.page, own])).toEqual([
      ['heading', 1, 'Havnens år'],
      ['list', 1, '- Sild & torsk\n  - fanget i sundet\n- Salt'],
      ['text', 1, 'Husk at nævne told og afgifter.'],
      ['heading', 2, 'Tal'],
      ['table', 2, 'Art | Tons\nSild | 250'],
    ]);
  });

  it('takes title, author and date from its properties', async () => {
    const { title, createdAt, metadata } = await parseBytes(file, 'a.pptx');
    expect([title, createdAt, metadata]).toEqual([
      'Årsberetning',
      '2024-02-01T09:00:00.000Z',
      { author: 'Havnefogeden', slides: 2 },
    ]);
  });
});
