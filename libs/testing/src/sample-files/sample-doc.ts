import { compoundFile } from './compound-file.js';

const TEXT_AT = 0x800;

/** A Word 97 document of these paragraphs: header, one piece of text, and the table that says so (MS-DOC, 2.4.1). */
export const sampleDoc = (paragraphs: readonly string[], { isEncrypted = false } = {}): Buffer => {
  const text = paragraphs.map((paragraph) => `${paragraph}\r`).join('');
  const main = Buffer.alloc(TEXT_AT + text.length * 2);
  main.writeUInt16LE(0xa5ec, 0);
  main.writeUInt16LE(0x0200 | (isEncrypted ? 0x0100 : 0), 10); // its table is "1Table"
  main.writeUInt32LE(text.length, 0x4c);
  main.write(text, TEXT_AT, 'utf16le');

  const pieces = Buffer.alloc(21);
  pieces[0] = 2;
  pieces.writeUInt32LE(16, 1);
  pieces.writeUInt32LE(text.length, 9); // the piece ends here; it starts at 0
  pieces.writeUInt32LE(TEXT_AT, 15);
  main.writeUInt32LE(0, 0x1a2);
  main.writeUInt32LE(pieces.length, 0x1a6);
  return compoundFile({ WordDocument: main, '1Table': pieces });
};
