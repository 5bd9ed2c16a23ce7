import { describe, expect, it } from '@jest/globals';
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
