import type { Picture } from '../../ocr/ocr.js';
import type { PdfPage } from './open-pdf.js';

const DPI = 200;
/** A page that says it is a poster is drawn smaller. */
const MAX_DOTS = 12_000_000;
const WHITE = 250;

/** The page as a picture; null where nothing is drawn on it. Throws where it can't be drawn. */
export const drawPage = async (page: PdfPage): Promise<Picture | null> => {
  const { createCanvas, DOMMatrix, ImageData, Path2D } = await import('@napi-rs/canvas');
  Object.assign(globalThis, { DOMMatrix, ImageData, Path2D }); // pdf.js draws with these
  const { width: points, height } = page.getViewport({ scale: 1 });
  const scale = Math.min(DPI / 72, Math.sqrt(MAX_DOTS / (points * height)));
  const viewport = page.getViewport({ scale });
  const canvas = createCanvas(Math.max(1, Math.round(viewport.width)), Math.max(1, Math.round(viewport.height)));
  const context = canvas.getContext('2d');
  await page.render({ canvas, canvasContext: context, viewport, background: '#ffffff' }).promise;
  page.cleanup();
  const { data, width, height: rows } = context.getImageData(0, 0, canvas.width, canvas.height);
  const grey = greyOf(data);
  if (grey.every((dot) => dot >= WHITE)) return null;
  return { bytes: Buffer.concat([Buffer.from(`P5\n${width} ${rows}\n255\n`), grey]), dpi: scale * 72 };
};

/** Luma of ITU-R BT.601. */
const greyOf = (rgba: Uint8ClampedArray): Uint8Array => {
  const grey = new Uint8Array(rgba.length / 4);
  for (let dot = 0, at = 0; dot < grey.length; dot++, at += 4)
    grey[dot] = 0.299 * (rgba[at] ?? 0) + 0.587 * (rgba[at + 1] ?? 0) + 0.114 * (rgba[at + 2] ?? 0);
  return grey;
};
