import { describe, expect, it } from 'vitest';
import { parseBytes } from './parse-bytes.js';
import { codePointSlices } from './plain-text.js';

const HEAD = String.raw`\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset204 Arial Cyr;}}`;
const parse = (body: string): ReturnType<typeof parseBytes> =>
  parseBytes(Buffer.from(`{${HEAD}${body}}`, 'latin1'), 'upload.bin');
const textsOf = async (body: string): Promise<string[]> => {
  const { text, blocks } = await parse(body);
  return codePointSlices(text, blocks);
};

describe('RTF', () => {
  it.each<[rule: string, body: string, texts: string[]]>([
    ['letters of the code page and of Unicode', String.raw`\'c5len er \u229?dt\par`, ['Ålen er ådt']],
    ['letters of a font with another code page', String.raw`{\f1 \'cf\'f0\'e8\'e2\'e5\'f2}\par`, ['Привет']],
    ['a paragraph for each \\par', String.raw`Et\par To {\b fede} ord\par`, ['Et', 'To fede ord']],
    ['dashes, quotes and fixed spaces', String.raw`\ldblquote Ja\rdblquote\~\endash  nej\par`, ['“Ja”\u00a0– nej']],
    [
      'a link by its text',
      String.raw`Se {\field{\*\fldinst HYPERLINK "file:///etc/passwd"}{\fldrslt her}}\par`,
      ['Se her'],
    ],
    ['footnotes after their paragraph', String.raw`Byen{\footnote Ribe} byggede.\par`, ['Byen byggede.', 'Ribe']],
    [
      'lists as one block',
      String.raw`{\listtext\'b7\tab}Sild\par{\listtext\'b7\tab}\ilvl1 Salt\par\pard Slut\par`,
      ['- Sild\n  - Salt', 'Slut'],
    ],
    [
      'tables by their rows',
      String.raw`\trowd\pard\intbl Art\cell Tons\cell\row\trowd\pard\intbl Sild\cell 2\cell\row\pard Slut\par`,
      ['Art | Tons\nSild | 2', 'Slut'],
    ],
    [
      'nothing of pictures, heads, hidden text and what it does not know',
      String.raw`{\header Side}{\pict 0102}{\*\new thing}{\v skjult}Synlig\bin3 }}}\par`,
      ['Synlig'],
    ],
  ])('reads %s', async (_rule, body, texts) => {
    expect(await textsOf(body)).toEqual(texts);
  });

  it('knows headings by their style or outline level, and takes title, author and date from its information', async () => {
    const { title, createdAt, metadata, blocks } = await parse(
      String.raw`{\stylesheet{\s0 Normal;}{\s2 heading 2;}}{\info{\title H\'e5ndbog}{\author HR}{\creatim\yr2024\mo2\dy1\hr9\min5}}\pard\s2 Ferie\par\pard\outlinelevel0 Del\par\pard Tekst\par`,
    );
    expect(blocks.map(({ kind, level }) => [kind, level])).toEqual([
      ['heading', 2],
      ['heading', 1],
      ['text', undefined],
    ]);
    expect([title, createdAt, metadata]).toEqual(['Håndbog', '2024-02-01T09:05:00.000Z', { author: 'HR' }]);
  });
});
