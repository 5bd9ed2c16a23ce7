import { lettersOf, multiply, type PageText } from './fragments.js';
import type { PdfPage } from './open-pdf.js';

/** A page number, a stamp or a scanner's name over a scan. */
const FEW_LETTERS = 60;
/** Of the page; pictures among a few words take less. */
const MOST = 0.5;
/** Letters that are drawn as outlines make hundreds of paths; frames and rules make some. */
const MANY_PATHS = 100;

/** Whether what a page says is in its pictures: it has no text of its own, or little beside a picture over most of it. */
export const isPicture = async (page: PdfPage, text: PageText): Promise<boolean> => {
  const letters = lettersOf(text.fragments) + lettersOf(text.aside);
  if (letters > FEW_LETTERS) return false;
  const { pictures, paths } = await drawnOn(page);
  if (letters > 0) return pictures >= MOST;
  return pictures > 0 || paths >= MANY_PATHS;
};

/** The share of the page that pictures cover, each counted by itself, and how many paths there are. */
const drawnOn = async (page: PdfPage): Promise<{ pictures: number; paths: number }> => {
  const { OPS } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const pictureOps = new Set([
    ...[OPS.paintImageXObject, OPS.paintInlineImageXObject, OPS.paintImageMaskXObject],
    ...[OPS.paintImageXObjectRepeat, OPS.paintImageMaskXObjectRepeat, OPS.paintInlineImageXObjectGroup],
    ...[OPS.paintImageMaskXObjectGroup, OPS.paintSolidColorImageMask],
  ]);
  const { width, height } = page.getViewport({ scale: 1 });
  const { fnArray, argsArray } = await page.getOperatorList();
  let place = [1, 0, 0, 1, 0, 0];
  const saved: number[][] = [];
  let area = 0;
  let paths = 0;
  fnArray.forEach((op, index) => {
    if (op === OPS.save || op === OPS.paintFormXObjectBegin) saved.push(place);
    if (op === OPS.restore || op === OPS.paintFormXObjectEnd) place = saved.pop() ?? place;
    if (op === OPS.transform) place = multiply(place, matrixOf(argsArray[index]));
    if (op === OPS.paintFormXObjectBegin)
      place = multiply(place, matrixOf((argsArray[index] as unknown[] | null)?.[0]));
    if (op === OPS.constructPath) paths++;
    // A picture is drawn as the unit square: its area is the determinant.
    const [a = 0, b = 0, c = 0, d = 0] = place;
    if (pictureOps.has(op)) area += Math.abs(a * d - b * c);
  });
  return { pictures: area / (width * height), paths };
};

const matrixOf = (value: unknown): number[] => {
  const numbers =
    Array.isArray(value) || ArrayBuffer.isView(value) ? Array.from(value as ArrayLike<unknown>, Number) : [];
  return numbers.length === 6 ? numbers : [1, 0, 0, 1, 0, 0];
};
