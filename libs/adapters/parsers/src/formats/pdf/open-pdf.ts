import { createRequire } from 'node:module';
import path from 'node:path';
import { CodedError } from '@postmaster/contracts';

/** As much of pdf.js's interface as is used; its own types name the compiler's DOM, which is not loaded here. */
export interface PdfDocument {
  numPages: number;
  getPage(number: number): Promise<PdfPage>;
  getMetadata(): Promise<{ info: Record<string, unknown> }>;
  getOutline(): Promise<OutlineEntry[] | null>;
}
export interface PdfPage {
  getViewport(options: { scale: number }): { width: number; height: number; transform: number[] };
  getTextContent(): Promise<{
    items: (PdfTextItem | { type: string })[];
    styles: Record<string, { fontFamily: string }>;
  }>;
  /** What is drawn, as numbers of OPS, each with its arguments. */
  getOperatorList(): Promise<{ fnArray: number[]; argsArray: unknown[] }>;
  /** `canvas` and its context are of @napi-rs/canvas. */
  render(options: { canvas: unknown; canvasContext: unknown; viewport: object; background: string }): {
    promise: Promise<void>;
  };
  cleanup(): boolean;
}
export interface PdfTextItem {
  str: string;
  dir: string;
  transform: number[];
  width: number;
  fontName: string;
}
export interface OutlineEntry {
  title: string;
  items: OutlineEntry[];
}

const root = path.dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
const folder = (name: string): string => `${path.join(root, name)}/`;

/** Larger pictures within a page are left blank. */
const MAX_DOTS = 50_000_000;

/** Opens a PDF. Nothing is evaluated or fetched; fonts, character maps and decoders come from the package. */
export const openPdf = async (bytes: Uint8Array): Promise<{ document: PdfDocument; close: () => Promise<void> }> => {
  standInForCanvas();
  const { getDocument, VerbosityLevel } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const task = getDocument({
    data: new Uint8Array(bytes), // pdf.js keeps the array it is given, and a pooled Buffer's is shared
    cMapUrl: folder('cmaps'),
    standardFontDataUrl: folder('standard_fonts'),
    isEvalSupported: false,
    wasmUrl: folder('wasm'), // JBIG2 and JPEG 2000, as scanners write them
    maxImageSize: MAX_DOTS,
    useWorkerFetch: false,
    useSystemFonts: false,
    disableFontFace: true,
    enableXfa: false,
    verbosity: VerbosityLevel.ERRORS,
  });
  try {
    const document = await task.promise;
    return { document: document as unknown as PdfDocument, close: () => task.destroy() };
  } catch (cause) {
    await task.destroy();
    if (cause instanceof Error && cause.name === 'PasswordException') {
      throw new CodedError('PASSWORD_NEEDED', 'The PDF is protected by a password.');
    }
    throw cause;
  }
};

/** pdf.js loads what it draws with when it finds none; reading text never calls these. */
const standInForCanvas = (): void => {
  class Unused {}
  for (const name of ['DOMMatrix', 'ImageData', 'Path2D']) {
    if (!(name in globalThis))
      Object.defineProperty(globalThis, name, { value: Unused, configurable: true, writable: true });
  }
};
