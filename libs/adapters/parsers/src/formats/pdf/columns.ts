import { lettersOf, type Fragment } from './fragments.js';

/** Columns of prose have at least so many lines, of at least so many letters on average: a table's cells are shorter. */
const MIN_LINES = 4;
const MIN_LETTERS = 20;
const MIN_SHARE = 0.15;
const MIN_STARTS = 3;

/**
 * Parts a page into regions in reading order: each column by itself, from left to right, between the lines that run
 * across them (a title, a wide figure's caption). Cuts at white gutters as XY-cut does (Nagy and Seth, 1984), but only
 * where both sides are prose, so that tables keep their rows.
 */
export const regionsOf = (fragments: readonly Fragment[]): Fragment[][] => {
  const gutter = findGutter(fragments);
  if (gutter === null) return fragments.length > 0 ? [[...fragments]] : [];
  const across = fragments.filter((fragment) => isAcross(fragment, gutter)).sort((a, b) => a.y - b.y);
  const beside = fragments.filter((fragment) => !isAcross(fragment, gutter));

  const regions: Fragment[][] = [];
  let above = -Infinity;
  const band: Fragment[] = [];
  const close = (below: number): void => {
    const within = beside.filter(({ y }) => y > above && y <= below);
    const left = within.filter(({ right }) => right <= gutter + 1);
    const right = within.filter((fragment) => !left.includes(fragment));
    if (within.length > 0 && band.length > 0) regions.push(band.splice(0));
    regions.push(...regionsOf(left), ...regionsOf(right));
    above = below;
  };
  for (const fragment of across) {
    close(fragment.y);
    band.push(fragment);
  }
  if (beside.some(({ y }) => y > above) || band.length === 0) close(Infinity);
  if (band.length > 0) regions.push(band);
  return regions.filter((region) => region.length > 0);
};

const isAcross = ({ left, right }: Fragment, gutter: number): boolean => left < gutter - 2 && right > gutter + 2;

/** The x where a column starts that has a column of prose to its left; null where there is none. */
const findGutter = (fragments: readonly Fragment[]): number | null => {
  const total = lettersOf(fragments);
  const counts = new Map<number, number>();
  for (const { left } of fragments) counts.set(Math.floor(left), (counts.get(Math.floor(left)) ?? 0) + 1);
  // Most lines of a column start at one x; to try every other would take the square of the page's fragments.
  const starts = [...counts].filter(([, count]) => count >= MIN_STARTS).map(([x]) => x);
  let best: { x: number; score: number } | null = null;
  for (const x of starts) {
    const left = fragments.filter((fragment) => fragment.right <= x + 1);
    const right = fragments.filter((fragment) => fragment.left >= x - 1);
    if (!isProse(left, total) || !isProse(right, total)) continue;
    const [top, foot] = shared(left, right);
    const crossing = fragments.filter((f) => isAcross(f, x) && f.y > top && f.y < foot);
    const score = Math.min(lettersOf(left), lettersOf(right)) - 2 * lettersOf(crossing);
    if (score > 0 && score > (best?.score ?? 0)) best = { x, score };
  }
  return best?.x ?? null;
};

const isProse = (side: readonly Fragment[], total: number): boolean => {
  const lines = new Set(side.map(({ y }) => Math.round(y / 3))).size;
  const letters = lettersOf(side);
  const isWide = letters / lines >= MIN_LETTERS && letters / side.length >= MIN_LETTERS * 0.75;
  return lines >= MIN_LINES && isWide && letters >= total * MIN_SHARE;
};

/** The stretch of the page that both columns take up. */
const shared = (left: readonly Fragment[], right: readonly Fragment[]): [top: number, foot: number] => {
  const ys = (side: readonly Fragment[]): number[] => side.map(({ y }) => y);
  return [
    Math.max(Math.min(...ys(left)), Math.min(...ys(right))),
    Math.min(Math.max(...ys(left)), Math.max(...ys(right))),
  ];
};
