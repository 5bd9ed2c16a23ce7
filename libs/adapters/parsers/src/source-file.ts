import { fileTypeFromBuffer } from 'file-type';
import { isCompoundFile, openCompoundFile, type CompoundFile } from './compound-file.js';
import { decodeText, type DecodedText } from './decode-text.js';
import { containedType } from './formats/ooxml.js';
import { readZipEntries, type ZipEntry } from './zip.js';

/** A file that is to be read, and what all formats ask of it; each answer is found once. */
export interface SourceFile {
  bytes: Uint8Array;
  name: string;
  /** Lower case, without the dot; '' where the name has none. */
  extension: string;
  /** Without parameters, lower case. */
  declaredType: string;
  /** What its first bytes say by file-type's table: "image/png"; null where they say nothing. */
  magic: string | null;
  /** Null for what is no text. Found when it is first asked for: a large archive is not searched for letters. */
  readonly decoded: DecodedText | null;
  /** Null for what is no zip archive, or one whose directory is missing. */
  zip: ZipEntry[] | null;
  /** The type that the archive's own manifest names; null for what is no archive, or has no manifest. */
  contained: string | null;
  /** Null for what is no compound file, or one whose tables are damaged. */
  compound: CompoundFile | null;
}

export const openSource = async (bytes: Uint8Array, name: string, declaredType = ''): Promise<SourceFile> => {
  const [type = '', ...parameters] = declaredType.split(';').map((part) => part.trim());
  const charset = parameters.find((parameter) => /^charset=/i.test(parameter))?.replace(/^charset="?([^"]*)"?$/i, '$1');
  const magic = await fileTypeFromBuffer(bytes).then(
    (found) => found?.mime ?? null,
    () => null, // a file that ends within its header
  );
  const zip = readZipEntries(bytes);
  let decoded: DecodedText | null | undefined;
  return {
    bytes,
    name,
    extension: /\.([a-z0-9]{1,10})$/i.exec(name)?.[1]?.toLowerCase() ?? '',
    declaredType: type.toLowerCase(),
    magic,
    get decoded() {
      if (decoded === undefined) decoded = decodeText(bytes, charset ?? charsetInside(bytes));
      return decoded;
    },
    zip,
    contained: containedType(zip),
    compound: compoundOf(bytes),
  };
};

const compoundOf = (bytes: Uint8Array): CompoundFile | null => {
  try {
    return isCompoundFile(bytes) ? openCompoundFile(bytes) : null;
  } catch {
    return null;
  }
};

/** The charset that a page or XML file declares in its head. */
const charsetInside = (bytes: Uint8Array): string | undefined => {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 2048)).toString('latin1');
  return (
    /<meta[^>]+charset\s*=\s*["']?([\w-]+)/i.exec(head)?.[1] ?? /^\s*<\?xml[^>]+encoding="([\w-]+)"/i.exec(head)?.[1]
  );
};
