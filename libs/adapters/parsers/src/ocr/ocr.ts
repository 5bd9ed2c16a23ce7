import { CodedError } from '@postmaster/contracts';
import { lettersOf, type PageText } from '../formats/pdf/fragments.js';
import type { Draft } from '../plain-text.js';
import { openEngine, type Engine } from './engine.js';
import { pageOf, type Seen, seeUpright } from './see-page.js';

export interface OcrSettings {
  /** Codes of the engine's language data, the likeliest first: "dan", "eng". */
  languages: readonly string[];
  /** Pages read of one document; the others are named in its metadata. */
  maxPages: number;
}

export interface Picture {
  /** PNG, JPEG, TIFF, WebP, BMP, GIF or PNM. */
  bytes: Uint8Array;
  /** EXIF's, 1–8. */
  orientation?: number;
  /** Absent: its longer side is taken for that of an A4 page. */
  dpi?: number;
}

/** Text recognition for one document. */
export interface Ocr {
  /** False: pictures are left alone. */
  readonly isOn: boolean;
  /**
   * The text on a page that is a picture; `own`, what the page has as text, where not much more is seen, where what is
   * seen is hardly text, and beyond the most pages, for which no picture is taken. Throws DOCUMENT_BROKEN for a picture
   * that can't be decoded.
   */
  read(page: number, own: PageText, takePicture: () => Promise<Picture | null>): Promise<PageText>;
  /** What the document's metadata say of it: nothing where no text came this way. */
  facts(): Draft['metadata'];
  end(): Promise<void>;
}

/** Below it a page is a photograph, or too poor a scan. */
const MIN_PAGE = 0.65;
/** A page with a title in letters and pictures around it is better read as it is. */
const LITTLE_MORE = 2;

/** `onPage` is told before each page is read. The engine is started with the first, and ends with the document. */
export const openOcr = ({ languages, maxPages }: OcrSettings, onPage: () => Promise<void>): Ocr => {
  let engine: Promise<Engine> | undefined;
  let usual = 1;
  let read = 0;
  let letters = 0;
  let trust = 0; // the letters' confidence, summed up
  const withText: number[] = [];
  const unreadable: number[] = [];
  const leftOut: number[] = [];
  return {
    isOn: true,
    async read(page, own, takePicture) {
      if (read >= maxPages) {
        leftOut.push(page);
        return own;
      }
      await onPage();
      const picture = await takePicture();
      if (!picture) return own;
      read++;
      engine ??= openEngine(languages);
      const seen = await look(engine, picture, usual);
      if (seen.letters <= lettersOf(own.fragments) * LITTLE_MORE) return own;
      if (seen.trust < MIN_PAGE) {
        unreadable.push(page);
        return own;
      }
      if (seen.isUpright) usual = seen.orientation;
      withText.push(page);
      letters += seen.letters;
      trust += seen.letters * seen.trust;
      return pageOf(seen.page, picture.dpi);
    },
    facts: () => ({
      ...(withText.length > 0 && {
        ocr: true,
        ocrPages: withText.length,
        ocrConfidence: Math.round((100 * trust) / letters) / 100,
      }),
      ...(unreadable.length > 0 && { ocrUnreadablePages: unreadable.join(', ') }),
      ...(leftOut.length > 0 && { ocrPagesLeftOut: leftOut.length, ocrLeftOutFrom: leftOut[0] }),
    }),
    end: () => engine?.then((one) => one.end()).catch(() => undefined) ?? Promise.resolve(),
  };
};

/** What the engine throws, out of memory or over a picture made to break it, ends the document and, by its cause, the process. */
const look = async (engine: Promise<Engine>, picture: Picture, usual: number): Promise<Seen> => {
  try {
    return seeUpright(await engine, picture, usual);
  } catch (cause) {
    if (cause instanceof CodedError) throw cause;
    throw new CodedError('DOCUMENT_BROKEN', 'The OCR engine broke down over a picture.', { cause });
  }
};

export const noOcr: Ocr = {
  isOn: false,
  read: (_page, own) => Promise.resolve(own),
  facts: () => ({}),
  end: () => Promise.resolve(),
};
