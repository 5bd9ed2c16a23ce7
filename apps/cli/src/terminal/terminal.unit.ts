import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { paintFor } from './colours.js';
import { count, duration, roughly, size } from './figures.js';
import { markedText } from './marked-text.js';
import { placeText } from './paragraph-text.js';
import { oneLine, printable } from './printable.js';
import { progressLine } from './progress-bar.js';
import { table } from './table.js';
import { fit, widthOf } from './width.js';
import { wrap } from './wrap.js';

const plain = paintFor(new Writable(), {});

describe('figures', () => {
  it.each([
    [0, '0 s'],
    [59.4, '59 s'],
    [60, '1 min'],
    [200, '3 min 20 s'],
    [7_500, '2 h 5 min'],
  ])('shows %d seconds as %s', (seconds, shown) => expect(duration(seconds)).toBe(shown));

  it.each([
    [0, '0 bytes'],
    [999, '999 bytes'],
    [1_000, '1 KB'],
    [3_420_000, '3.42 MB'],
    [200_000_000, '200 MB'],
  ])('shows %d bytes as %s', (bytes, shown) => expect(size(bytes)).toBe(shown));

  it('counts one and many', () => {
    expect([count(1, 'document'), count(1204, 'document')]).toEqual(['1 document', '1,204 documents']);
  });

  it('shows an estimate with two figures, as more would promise too much', () => {
    expect([roughly(7), roughly(1_862_886), roughly(2_227)]).toEqual([7, 1_900_000, 2_200]);
  });
});

describe('text for a terminal', () => {
  it('takes out what a terminal would obey', () => {
    expect(printable('a\u001b]0;owned\u0007b\u009b31mc\r\nd\te\u202eevil')).toBe('a]0;ownedb31mc\nd\teevil');
  });

  it('puts text on one line', () => {
    expect(oneLine('  a\n\n b\tc ')).toBe('a b c');
  });

  it('counts wide letters as two columns and accents as none', () => {
    expect([widthOf('abc'), widthOf('日本'), widthOf('e\u0301'), widthOf('🙂')]).toEqual([3, 4, 1, 2]);
  });

  it('cuts to the columns that there are, and says that it did', () => {
    expect([fit('abcdef', 6), fit('abcdefg', 6), fit('日本語', 4)]).toEqual(['abcdef', 'abcde…', '日…']);
  });

  it('wraps at words and keeps line ends', () => {
    expect(wrap('aaaa bbbb cccc dddd eeee ffff\n\nx', 22, '  ')).toBe('  aaaa bbbb cccc dddd\n  eeee ffff\n\n  x');
  });

  it('names a title once, also where it is the first heading', () => {
    const document = { id: 'd', title: 'Guide', sourceUri: null };
    expect(placeText({ document, page: 2, trail: ['Guide', 'Start'] })).toBe('Guide, page 2 · Start');
  });
});

describe('what a question matched in a text', () => {
  const terminal = Object.assign(new Writable(), { isTTY: true });
  const layOut = (text: string) => wrap(text, 22, '  ');

  it('is painted where it stands, by code points, and takes no column', () => {
    const text = '🙂 aaaa bbbb\u0007 cccc dddd eeee';
    const highlights = [
      { start: 2, end: 6 },
      { start: 13, end: 17 },
    ];
    expect(markedText(text, highlights, layOut, paintFor(terminal, {}).yellow)).toBe(
      '  🙂 \u001b[33maaaa\u001b[39m bbbb \u001b[33mcccc\u001b[39m\n  dddd eeee',
    );
    expect(markedText(text, highlights, layOut, plain.yellow)).toBe(layOut('🙂 aaaa bbbb cccc dddd eeee'));
  });
});

describe('tables', () => {
  const header = [
    { title: 'N', right: true },
    { title: 'NAME', shrinks: true },
  ];

  it('puts columns under their titles', () => {
    expect(
      table(
        header,
        [
          ['1', 'ab'],
          ['10', 'c'],
        ],
        undefined,
      ),
    ).toBe(' N  NAME\n 1  ab\n10  c');
  });

  it('cuts the column that may shrink where the terminal is narrow, and none in a pipe', () => {
    const long = 'a very long name of something';
    expect(table(header, [['1', long]], 20)).toBe('N  NAME\n1  a very long name…');
    expect(table(header, [['1', long]], undefined)).toContain(long);
  });
});

describe('the progress bar', () => {
  const progress = { fraction: 0.5, facts: '5/10 documents', rate: 4.2, secondsLeft: 75 };

  it('shows share, facts, rate and time left', () => {
    expect(progressLine(progress, 100, plain)).toBe(
      `${'█'.repeat(12)}${'░'.repeat(12)}  50 % · 5/10 documents · 4.2/s · 1 min 15 s left`,
    );
  });

  it('stays within the columns that there are', () => {
    for (const columns of [5, 20, 40, 60])
      expect(widthOf(progressLine(progress, columns, plain))).toBeLessThanOrEqual(columns);
  });
});

describe('colours', () => {
  const terminal = Object.assign(new Writable(), { isTTY: true });

  it('are for terminals that want them', () => {
    expect(paintFor(terminal, {}).red('x')).toBe('\u001b[31mx\u001b[39m');
    expect(paintFor(terminal, { NO_COLOR: '1' }).red('x')).toBe('x');
    expect(paintFor(terminal, { TERM: 'dumb' }).red('x')).toBe('x');
    expect(plain.red('x')).toBe('x');
  });
});
