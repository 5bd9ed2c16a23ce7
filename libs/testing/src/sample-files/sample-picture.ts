import { createRequire } from 'node:module';
import path from 'node:path';

export interface PictureFacts {
  type?: 'png' | 'jpeg' | 'webp' | 'gif' | 'tiff';
  /** In dots; the letters are 28 high. */
  width?: number;
  height?: number;
  /** Quarter turns clockwise that the page lies turned by. */
  turns?: number;
}

const require = createRequire(import.meta.url);
const SIZE = 28;
const MARGIN = 40;

/** These lines in black on white, as a scanner gives them. */
export const samplePicture = (lines: readonly string[], facts: PictureFacts = {}): Buffer => {
  const { type = 'png' } = facts;
  if (type === 'tiff') return sampleTiff([lines], facts);
  const canvas = drawn(lines, facts);
  if (type === 'png') return canvas.toBuffer('image/png');
  return type === 'gif' ? canvas.toBuffer('image/gif') : canvas.toBuffer(`image/${type}`, 90);
};

/** Pages of a TIFF (TIFF 6.0), in grey and unpacked. */
export const sampleTiff = (pages: readonly (readonly string[])[], facts: PictureFacts = {}): Buffer => {
  const parts: Buffer[] = [Buffer.from('II*\0\x08\0\0\0', 'latin1')];
  let at = 8;
  pages.forEach((lines, index) => {
    const canvas = drawn(lines, facts);
    const { width, height } = canvas;
    const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
    const grey = Buffer.from(data.filter((_, place) => place % 4 === 0));
    // Width, height, bits, packing, 0 is black, where the dots are, rows in a strip, its bytes.
    const tags = [
      ...[
        [256, width],
        [257, height],
        [258, 8],
        [259, 1],
      ],
      ...[
        [262, 1],
        [273, at + 2 + 8 * 12 + 4],
        [278, height],
        [279, grey.length],
      ],
    ];
    const entries = tags.map(([tag = 0, value = 0]) => {
      const entry = Buffer.alloc(12);
      entry.writeUInt16LE(tag, 0);
      entry.writeUInt16LE(4, 2); // a whole number of 4 bytes, one of them
      entry.writeUInt32LE(1, 4);
      entry.writeUInt32LE(value, 8);
      return entry;
    });
    const head = Buffer.from([tags.length, 0]);
    const next = Buffer.alloc(4);
    const end = at + 2 + 8 * 12 + 4 + grey.length;
    if (index < pages.length - 1) next.writeUInt32LE(end);
    parts.push(head, ...entries, next, grey);
    at = end;
  });
  return Buffer.concat(parts);
};

type Canvas = import('@napi-rs/canvas').Canvas;

const drawn = (lines: readonly string[], { width = 1000, height = 260, turns = 0 }: PictureFacts): Canvas => {
  // Loaded here, for it takes memory of every test otherwise.
  const { createCanvas, GlobalFonts } = require('@napi-rs/canvas') as typeof import('@napi-rs/canvas');
  const fonts = path.join(path.dirname(require.resolve('pdfjs-dist/package.json')), 'standard_fonts');
  GlobalFonts.registerFromPath(path.join(fonts, 'LiberationSans-Regular.ttf'), 'Sample');
  const isTurned = turns % 2 === 1;
  const canvas = createCanvas(isTurned ? height : width, isTurned ? width : height);
  const context = canvas.getContext('2d');
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.translate(canvas.width / 2, canvas.height / 2);
  context.rotate((turns * Math.PI) / 2);
  context.translate(-width / 2, -height / 2);
  context.fillStyle = '#000';
  context.font = `${SIZE}px Sample`;
  lines.forEach((line, index) => context.fillText(line, MARGIN, MARGIN + SIZE * (1 + 1.4 * index)));
  return canvas;
};
