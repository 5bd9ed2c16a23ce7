import { elementAt, elementsOf, type XmlElement } from '../xml.js';

/** What a number in a cell stands for, by its style. */
export type NumberStyle = 'number' | 'date' | 'time' | 'datetime' | 'percent';

/** Built-in formats of dates, times and shares (ECMA-376, 18.8.30); languages of East Asia have 27–36 and 50–58. */
const BUILT_IN: readonly [from: number, to: number, style: NumberStyle][] = [
  [9, 10, 'percent'],
  [14, 17, 'date'],
  [18, 21, 'time'],
  [22, 22, 'datetime'],
  [27, 36, 'date'],
  [45, 47, 'time'],
  [50, 58, 'date'],
];

/** The style of each cell format that cells refer to by its index. */
export const cellStyles = (styles: XmlElement | null): NumberStyle[] => {
  const root = styles ?? undefined;
  const custom = new Map(
    elementsOf(elementAt(root, 'numFmts'), 'numFmt').map(({ attributes }) => [
      Number(attributes['numFmtId']),
      styleOfCode(attributes['formatCode'] ?? ''),
    ]),
  );
  return elementsOf(elementAt(root, 'cellXfs'), 'xf').map(({ attributes }) => {
    const id = Number(attributes['numFmtId']);
    return custom.get(id) ?? BUILT_IN.find(([from, to]) => id >= from && id <= to)?.[2] ?? 'number';
  });
};

const styleOfCode = (code: string): NumberStyle => {
  const plain = code.replace(/"[^"]*"|\\.|\[[^\]]*\]|_.|\*./g, '');
  const isDate = /[yd]/i.test(plain);
  const isTime = /[hs]/i.test(plain);
  if (isDate || isTime) return isDate && isTime ? 'datetime' : isDate ? 'date' : 'time';
  return plain.includes('%') ? 'percent' : 'number';
};

const DAY = 86_400_000;
const EPOCH_1900 = Date.UTC(1899, 11, 30); // day 1 is 1900-01-01; the 29 February that Excel has in 1900 shifts what comes after
const EPOCH_1904 = Date.UTC(1904, 0, 1);
const LAST_DAY = 2_958_465; // 9999-12-31

/** A stored number as a person reads it: without the noise of binary fractions, dates as ISO 8601. */
export const numberText = (stored: string, style: NumberStyle, is1904: boolean): string => {
  const value = Number(stored);
  if (stored.trim() === '' || !Number.isFinite(value)) return stored;
  if (style === 'percent') return `${plain(value * 100)}%`;
  if (style === 'number' || value < 0 || value > LAST_DAY) return plain(value);
  const time = new Date((is1904 ? EPOCH_1904 : EPOCH_1900) + Math.round(value * DAY)).toISOString();
  const clock = time.slice(11, 19).replace(/:00$/, '');
  if (style === 'time') return clock;
  return style === 'date' || clock === '00:00' ? time.slice(0, 10) : `${time.slice(0, 10)} ${clock}`;
};

const plain = (value: number): string => String(Number(value.toPrecision(15)));
