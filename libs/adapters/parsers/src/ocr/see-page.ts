import { CodedError } from '@postmaster/contracts';
import type { Fragment, PageText } from '../formats/pdf/fragments.js';
import type { Engine } from './engine.js';
import { readHocr, type SeenLine, type SeenPage } from './hocr.js';
import type { Picture } from './ocr.js';

/** Words that the engine trusts less are mostly no words. */
const MIN_WORD = 0.3;
/** A page on its side gives a text of sorts, at .6 or so; upright it passes this. */
const SURE_PAGE = 0.8;
const SOME_LETTERS = 40;
const A4_POINTS = 842;

export interface Seen {
  page: SeenPage;
  letters: number;
  /** The mean of the letters' confidence, 0…1. */
  trust: number;
  orientation: number;
  /** The engine trusts it, and most of its lines run from left to right. */
  isUpright: boolean;
}

/** EXIF's orientations of a picture that is not mirrored, each a quarter turn from the one before. */
const TURNS = [1, 6, 3, 8];

/** The page as it was taken or, where that is hardly text, turned to where it is; `usual` is how the pages before stood. */
export const seeUpright = (engine: Engine, { bytes, dpi, orientation }: Picture, usual: number): Seen => {
  const first = orientation ?? usual;
  const asTaken = look(engine, { bytes, dpi, orientation: first });
  if (asTaken.isUpright || asTaken.letters < SOME_LETTERS) return asTaken;
  for (const turn of TURNS.filter((other) => other !== first)) {
    const turned = look(engine, { bytes, dpi, orientation: turn });
    if (turned.isUpright) return turned;
  }
  return asTaken;
};

const look = (engine: Engine, picture: Picture & { orientation: number }): Seen => {
  const hocr = engine.recognize(picture.bytes, picture);
  if (hocr === null) {
    const why = "The picture can't be decoded: it is damaged, cut off, or packed in a way that is not read.";
    throw new CodedError('DOCUMENT_BROKEN', why, { next: 'Save it anew as PNG, JPEG or PDF and upload that.' });
  }
  const page = readHocr(hocr);
  for (const line of page.lines) line.words = line.words.filter(({ confidence }) => confidence >= MIN_WORD);
  const letters = lettersOf(page.lines);
  const words = page.lines.flatMap((line) => line.words);
  const trust = words.reduce((sum, { text, confidence }) => sum + text.length * confidence, 0) / Math.max(1, letters);
  const isUpright = trust >= SURE_PAGE && lettersOf(page.lines.filter((line) => line.isVertical)) < letters / 2;
  return { page, letters, trust, orientation: picture.orientation, isUpright };
};

const lettersOf = (lines: readonly SeenLine[]): number =>
  lines.reduce((sum, { words }) => sum + words.reduce((own, { text }) => own + text.length, 0), 0);

/** As a page with a text layer would be read, so that columns, tables, running heads and paragraphs are found the same way. */
export const pageOf = ({ width, height, lines }: SeenPage, dpi: number | undefined): PageText => {
  const points = dpi === undefined ? A4_POINTS / Math.max(width, height, 1) : 72 / dpi;
  const usual = usualSize(lines);
  const runs = (isVertical: boolean): Fragment[] =>
    lines
      .filter((line) => line.isVertical === isVertical)
      .map((line) => ({ ...line, size: Math.abs(line.size - usual) < usual * NOISE ? usual : line.size }))
      .flatMap((line) => runsOf(line, points));
  return { width: width * points, height: height * points, fragments: runs(false), aside: runs(true) };
};

/** By so much the heights differ that the engine finds for lines of one type: by whether they have high or low letters. */
const NOISE = 0.2;

/** The height that half of the letters have, or less. */
const usualSize = (lines: readonly SeenLine[]): number => {
  const bySize = [...lines].sort((a, b) => a.size - b.size);
  const half = lettersOf(lines) / 2;
  let letters = 0;
  return bySize.find((line) => (letters += lettersOf([line])) >= half)?.size ?? 0;
};

/** Gaps above this share of the letters' height part runs: columns, or cells of a table. */
const RUN_GAP = 0.75;

const runsOf = ({ baseline, size, words }: SeenLine, points: number): Fragment[] => {
  const runs: Fragment[] = [];
  for (const { text, left, right } of words) {
    const last = runs.at(-1);
    if (last && left * points - last.right < last.size * RUN_GAP) {
      last.text += ` ${text}`;
      last.right = right * points;
    } else {
      const place = { left: left * points, right: right * points, y: baseline * points, size: size * points };
      runs.push({ text, ...place, font: '', isMono: false });
    }
  }
  return runs;
};
