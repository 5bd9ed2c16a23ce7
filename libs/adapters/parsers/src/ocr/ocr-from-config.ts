import { CodedError } from '@postmaster/contracts';
import { languageData } from './engine.js';
import type { OcrSettings } from './ocr.js';

export interface OcrConfig {
  OCR: 'on' | 'off';
  /** "dan+eng". */
  OCR_LANGUAGES: string;
  OCR_MAX_PAGES: number;
}

export const OCR_VARIABLES = ['OCR', 'OCR_LANGUAGES', 'OCR_MAX_PAGES'] as const satisfies (keyof OcrConfig)[];

/** Undefined where text recognition is off. Throws CONFIG_INVALID for a language whose data are not installed. */
export const ocrFromConfig = ({ OCR, OCR_LANGUAGES, OCR_MAX_PAGES }: OcrConfig): OcrSettings | undefined => {
  if (OCR === 'off') return undefined;
  const languages = OCR_LANGUAGES.split('+');
  const missing = languages.filter((code) => languageData(code) === null);
  if (missing.length > 0) {
    const packages = missing.map((code) => `@tesseract.js-data/${code}`).join(' ');
    throw new CodedError('CONFIG_INVALID', `OCR_LANGUAGES names ${missing.join(', ')}, whose data are not installed.`, {
      next: `Run \`npm install ${packages}\`, or leave it out.`,
    });
  }
  return { languages, maxPages: OCR_MAX_PAGES };
};
