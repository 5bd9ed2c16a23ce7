import { cleanText } from '../../plain-text.js';
import type { PdfPage, PdfTextItem } from './open-pdf.js';

/** A run of text on one baseline. Points (1/72 inch) from the page's upper left corner as it is read, y downwards. */
export interface Fragment {
  text: string;
  left: number;
  right: number;
  /** Of the baseline. */
  y: number;
  /** Height of the font. */
  size: number;
  /** '' where it changes within the run. */
  font: string;
  /** In letters of one width, as code is set. */
  isMono: boolean;
}

export interface PageText {
  width: number;
  height: number;
  /** In the order of the file. */
  fragments: Fragment[];
  /** Text that runs in another direction than most of the page: a stamp in the margin. */
  aside: Fragment[];
}

export const EMPTY_PAGE: PageText = { width: 0, height: 0, fragments: [], aside: [] };

/** Gaps below this share of the font's height part no words; above the other, they part columns or cells. */
const WORD_GAP = 0.17;
const RUN_GAP = 0.75;
/** How far off the line, by the larger font's height, raised and lowered marks stand. */
export const RAISED = 0.45;

export const readFragments = async (page: PdfPage): Promise<PageText> => {
  const { width, height, transform } = page.getViewport({ scale: 1 });
  const { items, styles } = await page.getTextContent();
  page.cleanup();
  const turned = new Map<number, { item: PdfTextItem; place: number[] }[]>();
  for (const item of items) {
    if (!('str' in item) || item.str === '') continue;
    const place = multiply(transform, item.transform);
    const turn = ((Math.round(Math.atan2(place[1] ?? 0, place[0] ?? 0) / (Math.PI / 2)) % 4) + 4) % 4;
    const alike = turned.get(turn);
    if (alike) alike.push({ item, place });
    else turned.set(turn, [{ item, place }]);
  }
  const letters = (turn: number): number =>
    (turned.get(turn) ?? []).reduce((sum, { item }) => sum + item.str.length, 0);
  const [main = 0, ...others] = [...turned.keys()].sort((a, b) => letters(b) - letters(a));
  const read = (turn: number): Fragment[] =>
    joinRuns(
      (turned.get(turn) ?? []).map(({ item, place }) => ({
        ...upright(item, place, turn, width, height),
        isMono: styles[item.fontName]?.fontFamily === 'monospace',
      })),
    );
  const [w, h] = main % 2 === 0 ? [width, height] : [height, width];
  return { width: w, height: h, fragments: read(main), aside: others.flatMap(read) };
};

export const lettersOf = (fragments: readonly Fragment[]): number =>
  fragments.reduce((sum, { text }) => sum + text.length, 0);

export const multiply = (a: number[], b: number[]): number[] => {
  const [a0 = 1, a1 = 0, a2 = 0, a3 = 1, a4 = 0, a5 = 0] = a;
  const [b0 = 1, b1 = 0, b2 = 0, b3 = 1, b4 = 0, b5 = 0] = b;
  return [
    a0 * b0 + a2 * b1,
    a1 * b0 + a3 * b1,
    a0 * b2 + a2 * b3,
    a1 * b2 + a3 * b3,
    a0 * b4 + a2 * b5 + a4,
    a1 * b4 + a3 * b5 + a5,
  ];
};

/** The page turned so that its text runs from left to right. */
const upright = (
  item: PdfTextItem,
  place: number[],
  turn: number,
  width: number,
  height: number,
): Omit<Fragment, 'isMono'> => {
  const [, , c = 0, d = 0, x = 0, y = 0] = place;
  const [left, baseline] =
    turn === 1 ? [y, width - x] : turn === 2 ? [width - x, height - y] : turn === 3 ? [height - y, x] : [x, y];
  const size = Math.hypot(c, d) || 1;
  return { text: item.str, left, right: left + item.width, y: baseline, size, font: item.fontName };
};

/** Joins what the file wrote piece by piece along one baseline, words parted by a space. */
const joinRuns = (pieces: readonly Fragment[]): Fragment[] => {
  const runs: Fragment[] = [];
  let isParted = false; // pdf.js puts a blank where it saw a gap; only that it is there can be relied on
  for (const piece of pieces) {
    if (piece.text.trim() === '') {
      isParted = true;
      continue;
    }
    const last = runs.at(-1);
    if (last && isRunOn(last, piece)) {
      if (isDrawnTwice(last, piece)) continue;
      const isWord = isParted || piece.left - last.right > Math.min(last.size, piece.size) * WORD_GAP;
      last.text += (isWord ? ' ' : '') + piece.text;
      last.right = Math.max(last.right, piece.right);
      if (piece.font !== last.font) last.font = '';
      last.isMono &&= piece.isMono;
      if (piece.size > last.size) Object.assign(last, { size: piece.size, y: piece.y }); // a raised mark came first
    } else runs.push({ ...piece });
    isParted = false;
  }
  return runs
    .map((run) => ({ ...run, text: cleanText(run.text).replace(/\s+/g, ' ').trim() }))
    .filter((run) => run.text !== '');
};

const isRunOn = (last: Fragment, piece: Fragment): boolean => {
  const gap = piece.left - last.right;
  const small = Math.min(last.size, piece.size);
  const isOnLine = Math.abs(piece.y - last.y) < Math.max(last.size, piece.size) * RAISED;
  return isDrawnTwice(last, piece) || (isOnLine && gap > -small * 0.5 && gap < small * RUN_GAP);
};

/** Some programs draw a text again, a hair beside it, to make it bold. */
const isDrawnTwice = (last: Fragment, piece: Fragment): boolean =>
  last.text === piece.text &&
  Math.abs(piece.left - last.left) < piece.size * 0.2 &&
  Math.abs(piece.y - last.y) < piece.size * 0.2;
