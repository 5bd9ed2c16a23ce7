import { CodedError } from '@postmaster/contracts';
import { imageSize } from 'image-size';
import type { Format } from '../format.js';
import type { SourceFile } from '../source-file.js';
import type { Picture } from '../ocr/ocr.js';
import { unknownType } from '../unknown-type.js';
import { tiffPages } from './image/tiff-pages.js';
import { blocksOfPages } from './pdf/layout.js';
import { EMPTY_PAGE, type PageText } from './pdf/fragments.js';

const TYPES = new Set(['image/png', 'image/jpeg', 'image/tiff', 'image/webp', 'image/bmp', 'image/gif']);
/** An A3 page at 400 dpi has 31 million dots; decoded, each takes four bytes. */
const MAX_DOTS = 50_000_000;

/** Pictures of text, by OCR: all pages of a TIFF, the first frame of a GIF. */
export const image: Format = {
  contentType: 'image/*',
  extensions: ['png', 'jpg', 'jpeg', 'tif', 'tiff', 'webp', 'bmp', 'gif'],
  matches: (file) => typeOf(file) !== null,
  parse: async (file, _unpacking, ocr) => {
    if (!ocr.isOn) throw unknownType(file);
    const pages: PageText[] = [];
    const contentType = typeOf(file) ?? image.contentType;
    for (const page of contentType === 'image/tiff' ? tiffPages(file.bytes) : [file.bytes])
      pages.push(await ocr.read(pages.length + 1, EMPTY_PAGE, () => Promise.resolve(pictureOf(page))));
    return {
      ...blocksOfPages(pages),
      contentType,
      title: null,
      createdAt: null,
      metadata: { pages: pages.length },
    };
  },
};

/** A TIFF that is cut off is known by its mark alone: the rest of its header stands at its end. */
const typeOf = ({ magic, bytes }: SourceFile): string | null => {
  if (magic !== null) return TYPES.has(magic) ? magic : null;
  return /^(II\*\0|MM\0\*)/.test(Buffer.from(bytes.subarray(0, 4)).toString('latin1')) ? 'image/tiff' : null;
};

/** Throws DOCUMENT_BROKEN and IMAGE_TOO_LARGE by the picture's header alone: nothing is decoded yet. */
const pictureOf = (bytes: Uint8Array): Picture => {
  const { width, height, orientation } = sizeOf(bytes);
  if (width * height > MAX_DOTS) {
    const most = MAX_DOTS / 1_000_000;
    throw new CodedError('IMAGE_TOO_LARGE', `The picture has ${width} × ${height} dots, more than ${most} million.`);
  }
  return { bytes, orientation };
};

const sizeOf = (bytes: Uint8Array): ReturnType<typeof imageSize> => {
  try {
    return imageSize(bytes);
  } catch {
    throw new CodedError('DOCUMENT_BROKEN', "The picture's header is damaged or cut off.");
  }
};
