import { isUtf8 } from 'node:buffer';
import chardet from 'chardet';
import iconv from 'iconv-lite';

export interface DecodedText {
  text: string;
  /** What the bytes were read as, lower case: "utf-8", "windows-1252" … */
  encoding: string;
  /** Bytes that are no text in it, each now U+FFFD. */
  unreadable: number;
}

/**
 * The text of a file, or null where the bytes are none. In this order: byte order mark; zeros as UTF-16 has them; valid
 * UTF-8; UTF-8 with a few broken bytes; the declared charset; the best guess by the frequency of byte pairs.
 */
export const decodeText = (bytes: Uint8Array, declared?: string): DecodedText | null => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const encoding = marked(buffer) ?? zeroed(buffer);
  if (encoding === 'binary') return null;
  if (encoding) return clean(iconv.decode(buffer, encoding), encoding);
  if (buffer.includes('\x1b$B')) return clean(new TextDecoder('iso-2022-jp').decode(buffer), 'iso-2022-jp');
  if (isUtf8(buffer)) return clean(buffer.toString('utf8'), 'utf-8');
  const other = usable(declared) ?? guess(buffer);
  return mostlyUtf8(buffer) ?? clean(iconv.decode(buffer, other), other);
};

const marked = (buffer: Buffer): string | null => {
  const has = (...mark: number[]): boolean => mark.every((byte, index) => buffer[index] === byte);
  if (has(0xff, 0xfe, 0, 0)) return 'utf-32le';
  if (has(0, 0, 0xfe, 0xff)) return 'utf-32be';
  if (has(0xff, 0xfe)) return 'utf-16le';
  if (has(0xfe, 0xff)) return 'utf-16be';
  return null;
};

/** UTF-16 without a mark has zeros in every other byte of Western text; zeros elsewhere are no text. */
const zeroed = (buffer: Buffer): 'utf-16le' | 'utf-16be' | 'binary' | null => {
  const sample = buffer.subarray(0, 4096);
  const zeros = [0, 0] as [number, number];
  sample.forEach((byte, index) => {
    if (byte === 0) zeros[index % 2 === 0 ? 0 : 1]++;
  });
  const half = sample.length / 2;
  if (zeros[1] > half * 0.6 && zeros[0] < half * 0.05) return 'utf-16le';
  if (zeros[0] > half * 0.6 && zeros[1] < half * 0.05) return 'utf-16be';
  return buffer.includes(0) ? 'binary' : null;
};

/** Two bytes in a hundred may be control characters: some old programs left them in their texts. */
const clean = (text: string, encoding: string): DecodedText | null => {
  const body = text.startsWith('\ufeff') ? text.slice(1) : text;

  const controls = body.match(/[\u0000-\u0008\u000e-\u001a\u001c-\u001f\u007f-\u0084\u0086-\u009f]/g)?.length ?? 0;
  if (controls > Math.max(1, body.length * 0.02)) return null;
  return { text: body, encoding, unreadable: body.match(/\ufffd/g)?.length ?? 0 };
};

/** Text in UTF-8 that was damaged: read as anything else, all of its letters beyond ASCII would come out wrong. */
const mostlyUtf8 = (buffer: Buffer): DecodedText | null => {
  const text = buffer.toString('utf8');
  const broken = text.match(/\ufffd/g)?.length ?? 0;
  const whole = text.match(/[\u0080-\ufffc]|[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0;
  return whole >= 4 * broken ? clean(text, 'utf-8') : null;
};

const usable = (charset: string | undefined): string | null => {
  if (!charset || /^utf-?8$/i.test(charset) || !iconv.encodingExists(charset)) return null;
  return western(charset.toLowerCase());
};

/** Windows-1252 holds all printable characters of these and is what their texts mostly are (WHATWG Encoding, 4.2). */
const western = (charset: string): string =>
  /^(iso-8859-1|latin1|us-ascii|ascii)$/.test(charset) ? 'windows-1252' : charset;

/** A few letters are too few for statistics: below this many, Western European is the likeliest by far. */
const ENOUGH = 12;

/** As many bytes tell an encoding as well as all of them. */
const SAMPLE = 64 * 1024;

const guess = (buffer: Buffer): string => {
  const from = Math.max(0, buffer.findIndex((byte) => byte > 0x7f) - SAMPLE / 8);
  const sample = buffer.subarray(from, from + SAMPLE);
  const high = sample.reduce((sum, byte) => sum + (byte > 0x7f ? 1 : 0), 0);
  const readsAsWestern = !/[^\p{L}\p{N}\p{P}\p{S}\p{Z}\s]/u.test(iconv.decode(sample, 'windows-1252'));
  const best = chardet.analyse(sample).find((match) => !/^utf/i.test(match.name) && iconv.encodingExists(match.name));
  if (!best || (readsAsWestern && (high < ENOUGH || best.confidence < 20))) return 'windows-1252';
  return western(best.name.toLowerCase());
};
