import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
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
  const { getDocument, VerbosityLevel } = await pdfJs();
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

const { push } = Array.prototype;

/**
 * pdf.js, with the half of it that reads, which it would load later by itself. Its build for Node brings what Node lacks,
 * and replaces what it finds a fault in: on Node 20 `push`, for arrays of a fixed length. All of the process would go
 * through that one, at a tenth of its time, so what was there before is put back.
 */
const pdfJs = async (): Promise<typeof import('pdfjs-dist/legacy/build/pdf.mjs')> => {
  standInForCanvas();
  try {
    await import(pathToFileURL(path.join(root, 'legacy/build/pdf.worker.mjs')).href);
    return await import('pdfjs-dist/legacy/build/pdf.mjs');
  } finally {
    Object.defineProperty(Array.prototype, 'push', { value: push, configurable: true, writable: true });
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
