import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';

/** Tesseract, in WebAssembly and in this thread: it has no way to files or the network but what it is given here. */
export interface Engine {
  /**
   * What is written on a picture (PNG, JPEG, TIFF, WebP, BMP, GIF or PNM), as hOCR; null where it can't be decoded.
   * `orientation` is EXIF's, 1–8; without `dpi` it is what the picture says or what the letters' size suggests.
   */
  recognize(picture: Uint8Array, facts: { orientation?: number; dpi?: number }): string | null;
  end(): void;
}

/** As much of the package's interface as is used; it has no types of its own. */
interface Core {
  FS: { writeFile(path: string, bytes: Uint8Array): void; unlink(path: string): void };
  TessBaseAPI: new () => {
    Init(folder: null, languages: string, mode: number): number;
    SetPageSegMode(mode: number): void;
    SetVariable(name: string, value: string): boolean;
    /** Of the file /input; not 0 where it can't be decoded. */
    SetImageFile(orientation: number, angle: number): number;
    SetSourceResolution(dpi: number): void;
    Recognize(monitor: null): number;
    GetHOCRText(page: number): string;
    Clear(): void;
    End(): void;
  };
}

const require = createRequire(import.meta.url);
const LSTM_ONLY = 1;
const WHOLE_PAGE = 3; // columns, pictures and turns of lines found, but not which way up the page is

const SAUVOLA = '2'; // by each dot's surroundings: letters on shaded cells and in the shadow of a fold stay

/** The language data that are installed, as a file; null where there are none of that code. */
export const languageData = (code: string): string | null => {
  try {
    const manifest = require.resolve(`@tesseract.js-data/${code}/package.json`);
    return path.join(path.dirname(manifest), '4.0.0_best_int', `${code}.traineddata.gz`);
  } catch {
    return null;
  }
};

export const openEngine = async (languages: readonly string[]): Promise<Engine> => {
  const load = require('tesseract.js-core/tesseract-core-simd-lstm.js') as (options: object) => Promise<Core>;
  const ignore = (): void => {};
  const core = await load({ print: ignore, printErr: ignore, TesseractProgress: ignore });
  for (const code of languages) {
    const file = languageData(code);
    if (file === null) throw new Error(`There are no OCR data for "${code}": @tesseract.js-data/${code} is missing.`);
    core.FS.writeFile(`${code}.traineddata`, gunzipSync(readFileSync(file)));
  }
  const api = new core.TessBaseAPI();
  if (api.Init(null, languages.join('+'), LSTM_ONLY) !== 0) throw new Error('The OCR engine did not start.');
  api.SetPageSegMode(WHOLE_PAGE);
  api.SetVariable('thresholding_method', SAUVOLA);
  return {
    recognize(picture, { orientation = 1, dpi }) {
      core.FS.writeFile('/input', picture);
      try {
        if (api.SetImageFile(orientation, 0) !== 0) return null;
        if (dpi !== undefined) api.SetSourceResolution(Math.round(dpi));
        return api.Recognize(null) === 0 ? api.GetHOCRText(0) : '';
      } finally {
        core.FS.unlink('/input');
        api.Clear();
      }
    },
    end: () => api.End(),
  };
};
