import type { Line } from './lines.js';

/** What makes a heading in one document: sizes above the body's, or a font of its own. */
export interface Styles {
  bodySize: number;
  /** 1–6, or null for a line of running text. Whether it stands by itself is the caller's to see. */
  headingLevel(line: Line): number | null;
  /** Whether code stands out by letters of one width: not where all of the text is typed so. */
  hasMonoCode: boolean;
  /** Usual distance of baselines at a font height. */
  leading(size: number): number;
}

const LARGER = 1.12;
const MAX_WORDS = 20;
const NUMBER = /^(\d{1,2}(\.\d{1,2}){0,4})\.?\s+\p{Lu}/u;

export const stylesOf = (lines: readonly Line[], outline: ReadonlyMap<string, number>): Styles => {
  const bodySize = mostUsed(lines, ({ size }) => String(rounded(size))).map(Number)[0] ?? 10;
  const body = lines.filter(({ size }) => Math.abs(size - bodySize) < 0.6);
  const [bodyFont] = mostUsed(body, ({ font }) => font || null);
  const larger = lines.filter((line) => line.size > bodySize * LARGER && isShort(line));
  const letters = (some: readonly Line[]): number => some.reduce((sum, { text }) => sum + text.length, 0);
  // Where much of the text is "larger", as on slides, size says little.
  const bySize = letters(larger) < letters(lines) * 0.35;
  const sizes = [...new Set(larger.map(({ size }) => rounded(size)))].sort((a, b) => b - a).slice(0, 5);
  const steps = leadings(lines);

  return {
    bodySize,
    hasMonoCode: letters(lines.filter(({ isMono }) => isMono)) < letters(lines) * 0.5,
    leading: (size) => steps.get(rounded(size)) ?? size * 1.25,
    headingLevel: (line) => {
      if (!isShort(line)) return null;
      const outlined = outline.get(outlineKey(line.text));
      if (outlined !== undefined) return Math.min(6, outlined);
      const rank = sizes.findIndex((size) => rounded(line.size) >= size);
      if (bySize && line.size > bodySize * LARGER && rank >= 0) return Math.min(6, rank + 1);
      const depth = NUMBER.exec(line.text)?.[1]?.split('.').length ?? 1;
      const isOwnFont = line.font !== '' && line.font !== bodyFont && line.size >= bodySize * 0.97;
      const isTitled = /^[\p{Lu}\p{N}]/u.test(line.text) && !/[.,;:!?–-]$/.test(line.text) && line.text.length < 90;
      return isOwnFont && isTitled ? Math.min(6, sizes.length + depth) : null;
    },
  };
};

export const outlineKey = (title: string): string => title.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

const isShort = ({ text, cells }: Line): boolean =>
  /\p{L}{2}/u.test(text) && text.split(' ').length <= MAX_WORDS && cells.length < 3;

const rounded = (size: number): number => Math.round(size * 2) / 2;

/** Keys by the number of letters that have them, most first. */
const mostUsed = (lines: readonly Line[], keyOf: (line: Line) => string | null): string[] => {
  const counts = new Map<string, number>();
  for (const line of lines) {
    const key = keyOf(line);
    if (key !== null) counts.set(key, (counts.get(key) ?? 0) + line.text.length);
  }
  return [...counts].sort((a, b) => b[1] - a[1]).map(([key]) => key);
};

/** By font height, the most frequent distance from one line to the next. */
const leadings = (lines: readonly Line[]): Map<number, number> => {
  const steps = new Map<number, Map<number, number>>();
  lines.forEach((line, index) => {
    const above = lines[index - 1];
    const step = above && above.page === line.page ? line.y - above.y : 0;
    if (!above || rounded(above.size) !== rounded(line.size) || step < line.size * 0.8 || step > line.size * 2.5)
      return;
    const counts = steps.get(rounded(line.size)) ?? new Map<number, number>();
    counts.set(rounded(step), (counts.get(rounded(step)) ?? 0) + 1);
    steps.set(rounded(line.size), counts);
  });
  return new Map(
    [...steps].map(([size, counts]) => [size, [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? size * 1.25]),
  );
};
