import { CodedError } from '@postmaster/contracts';
import { isCompoundFile, type CompoundFile } from './compound-file.js';
import type { SourceFile } from './source-file.js';
import { startsAsZip } from './zip.js';

const READ = 'Convert the document to PDF, DOCX, PPTX, XLSX, HTML or text.';

/** Why a file that no format took is not read: what it is as far as its bytes tell. */
export const unknownType = (file: SourceFile): CodedError => {
  const { bytes, magic, zip, contained, extension } = file;
  if (bytes.every((byte) => byte === 0)) {
    const named = extension ? `is named .${extension} but ` : '';
    return new CodedError('UNKNOWN_TYPE', `The file ${named}holds zeros only (${bytes.byteLength} bytes).`, {
      next: 'Upload the file again from its source; this copy of it is empty.',
    });
  }
  if (startsAsZip(bytes) && !zip) {
    return new CodedError(
      'DOCUMENT_BROKEN',
      'The file is an archive that is cut off: its table of contents is missing.',
    );
  }
  if (isCompoundFile(bytes)) return compoundFile(file.compound);
  if (contained !== null) return new CodedError('UNKNOWN_TYPE', `The file seems to be ${contained}.`, { next: READ });
  if (magic !== null) return new CodedError('UNKNOWN_TYPE', `The file seems to be ${magic}.`, { next: READ });
  const named = extension ? `, though it is named .${extension}` : '';
  return new CodedError('UNKNOWN_TYPE', `The bytes are of no known format${named}.`, { next: READ });
};

/** Streams of a compound file (Microsoft's MS-CFB) name what it is; an encrypted DOCX is one too (MS-OFFCRYPTO). */
const STREAMS: readonly [name: string, is: string][] = [
  ['Workbook', 'an old Excel sheet (application/vnd.ms-excel)'],
  ['Book', 'an old Excel sheet (application/vnd.ms-excel)'],
  ['PowerPoint Document', 'an old PowerPoint file (application/vnd.ms-powerpoint)'],
];

const compoundFile = (file: CompoundFile | null): CodedError => {
  if (!file) return new CodedError('DOCUMENT_BROKEN', 'The Office file is damaged or cut off.');
  if (file.names.has('EncryptedPackage'))
    return new CodedError('PASSWORD_NEEDED', 'The Office file is protected by a password.');
  const is = STREAMS.find(([name]) => file.names.has(name))?.[1] ?? 'an old Office file (application/x-cfb)';
  return new CodedError('UNKNOWN_TYPE', `The file seems to be ${is}.`, { next: READ });
};
