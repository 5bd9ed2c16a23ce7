import { describe, expect, it } from 'vitest';
import { sampleXlsx } from '@postmaster/testing';
import { parseBytes } from './parse-bytes.js';
import { codePointSlices } from './plain-text.js';

const textsOf = async (file: Uint8Array, name = 'upload.bin'): Promise<string[]> => {
  const { text, blocks } = await parseBytes(file, name);
  return codePointSlices(text, blocks);
};

describe('XLSX', () => {
  it('gives each sheet under its name, with dates, shares and truth values as a person reads them', async () => {
    const file = sampleXlsx({
      Fangst: [
        ['Art', 'Tons', 'Dag', 'Solgt'],
        ['Sild', 0.1 + 0.2, { date: '2024-05-17' }, true],
        ['Ål', null, { date: '1999-12-31' }, false],
      ],
      Tom: [],
    });
    expect(await textsOf(file)).toEqual([
      'Fangst',
      'Art | Tons | Dag | Solgt\nSild | 0.3 | 2024-05-17 | TRUE\nÅl |  | 1999-12-31 | FALSE',
    ]);
  });

  it('repeats the header in every block of a long sheet, and keeps tables apart that an empty row parts', async () => {
    const rows = Array.from({ length: 200 }, (_, index) => [`Sild ${index}`, index]);
    const file = sampleXlsx({
      Fangst: [['Fangst i sundet'], ['Art', 'Tons'], ...rows, [], ['By', 'Told'], ['Ribe', 3]],
    });
    const [, ...tables] = await textsOf(file);
    expect(tables.length).toBeGreaterThan(3);
    expect(tables[0]).toMatch(/^Fangst i sundet\nArt \| Tons\nSild 0 \| 0\n/);
    for (const table of tables.slice(1, -1)) expect(table).toMatch(/^Art \| Tons\nSild \d+ \| \d+\n/);
    expect(tables.at(-1)).toBe('By | Told\nRibe | 3');
    expect(tables.join('\n').match(/Sild \d+ /g)).toHaveLength(200);
  });
});

describe('CSV', () => {
  it.each<[rule: string, name: string, text: string, rows: string]>([
    ['commas and quotes', 'a.csv', 'Art,Note\nSild,"stor, ""fed"""\n', 'Art | Note\nSild | stor, "fed"'],
    ['semicolons beside decimal commas', 'a.csv', 'Art;Tons\nSild;2,5\n', 'Art | Tons\nSild | 2,5'],
    ['tabs', 'a.tsv', 'Art\tTons\nSild\t2\n', 'Art | Tons\nSild | 2'],
    [
      'a table without a name of its kind',
      'upload',
      'Art,Tons,By\nSild,2,Ribe\nTorsk,3,Esbjerg\n',
      'Art | Tons | By\nSild | 2 | Ribe\nTorsk | 3 | Esbjerg',
    ],
    [
      'a quote that is never closed',
      'a.csv',
      'Art,Note\nSild,"stor\nTorsk,lille\n',
      'Art | Note\nSild | "stor\nTorsk | lille',
    ],
  ])('reads %s', async (_rule, name, text, rows) => {
    expect((await parseBytes(Buffer.from(text), name)).contentType).toBe('text/csv');
    expect(await textsOf(Buffer.from(text), name)).toEqual([rows]);
  });

  it('does not take a text with commas for a table', async () => {
    const text = 'Sild, torsk og ål.\n\nBrød, smør og salt.\n\nDet var det.';
    expect((await parseBytes(Buffer.from(text), 'a.txt')).contentType).toBe('text/plain');
  });
});

describe('JSON', () => {
  it('gives paths with their values, arrays of like objects as tables, and long texts as paragraphs', async () => {
    const long = 'Byen byggede selv havnen og betalte for den med en skat på sild i tredive år. '.repeat(3).trim();
    const data = {
      title: 'Havnen',
      owner: { name: 'Byen', tags: ['sild', 'salt'], none: null },
      story: long,
      catch: [
        { art: 'Sild', tons: 2 },
        { art: 'Ål', tons: 3 },
      ],
      odd: [{ a: { b: true } }],
    };
    const { contentType, title } = await parseBytes(Buffer.from(JSON.stringify(data)), 'upload.bin');
    expect([contentType, title]).toEqual(['application/json', 'Havnen']);
    expect(await textsOf(Buffer.from(JSON.stringify(data)))).toEqual([
      'title: Havnen',
      'owner.name: Byen\nowner.tags: sild, salt',
      `story: ${long}`,
      'catch\nart | tons\nSild | 2\nÅl | 3',
      'odd[0].a.b: true',
    ]);
  });

  it('reads JSON by lines', async () => {
    expect(await textsOf(Buffer.from('{"art":"Sild","tons":2}\n{"art":"Torsk","tons":3}\n'))).toEqual([
      'art | tons\nSild | 2\nTorsk | 3',
    ]);
  });
});
