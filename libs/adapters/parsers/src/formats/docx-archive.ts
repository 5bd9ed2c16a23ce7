import { CodedError } from '@postmaster/contracts';
import type { Archive } from './archive.js';

/** What mammoth reads a document through. */
export interface DocxArchive {
  exists(name: string): boolean;
  read(name: string, encoding?: string): Promise<Uint8Array | string>;
}

export const docxArchive = (archive: Archive): DocxArchive => ({
  exists: archive.has,
  read: async (name, encoding) => {
    const bytes = archive.read(name);
    if (encoding === undefined) return bytes;
    if (encoding === 'base64') return Buffer.from(bytes).toString('base64');
    const text = new TextDecoder(encoding).decode(bytes);
    if (text.includes('<!DOCTYPE')) {
      throw new CodedError('DOCUMENT_BROKEN', 'The Word document declares a document type, which Word never does.');
    }
    return name.startsWith('word/') ? formulasAsText(text) : text;
  },
});

/** Formulas (OMML) as runs of text: mammoth leaves them out, and a sentence without its formula says something else. */
const formulasAsText = (xml: string): string =>
  xml
    .replace(/<m:oMathParaPr>[\s\S]*?<\/m:oMathParaPr>|<\/?m:oMathPara(\s[^>]*)?>/g, '')
    .replace(/<m:oMath(?:\s[^>]*)?>([\s\S]*?)<\/m:oMath>/g, (_, formula: string) => {
      const parts = [...formula.matchAll(/<m:t(?:\s[^>]*)?>([^<]*)<\/m:t>/g)].map(([, part = '']) => part);
      return `<w:r><w:t xml:space="preserve">${parts.join('')}</w:t></w:r>`;
    });
