import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';

/** Text in UTF-8 that its mail calls Western: "Ã¸" for "ø". Bytes above ASCII that make UTF-8 by chance are next to unheard of. */
export const mendDecodedTwice = (text: string): string => {
  if (!/[\u0080-\u00ff]/.test(text) || /[^\u0000-\u00ff\u0152-\u2122]/.test(text)) return text;
  const bytes = Buffer.from(text.replace(/[^\u0000-\u00ff]/g, westernByte), 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : text;
};

/** The byte that Windows-1252 reads as this sign, as a character; 0xff, which no UTF-8 has, where there is none. */
const westernByte = (sign: string): string => {
  const byte = iconv.encode(sign, 'windows-1252')[0];
  return byte !== undefined && byte >= 0x80 ? String.fromCharCode(byte) : '\u00ff';
};
