/** A piece of rich text (Microsoft's RTF 1.9.1, "RTF Syntax"). */
export type RtfToken =
  | { kind: 'open' }
  | { kind: 'close' }
  | { kind: 'word'; word: string; value: number | null }
  | { kind: 'symbol'; symbol: string }
  /** Bytes of the code page in force, as letters of Latin-1. */
  | { kind: 'bytes'; bytes: string };

const TOKEN = /([{}])|\\'([0-9a-f]{2})|\\([a-z]{1,32})(-?\d{1,10})? ?|\\([^a-z])|[\r\n\0]+|([^\\{}\r\n\0]+)|\\$/giy;

/** The tokens of a file given as Latin-1; raw bytes (\bin) are skipped, for as far as there are any. */
export function* tokensOf(file: string): Generator<RtfToken> {
  TOKEN.lastIndex = 0;
  for (let found = TOKEN.exec(file); found && TOKEN.lastIndex <= file.length; found = TOKEN.exec(file)) {
    const [all, brace, hex, word, value, symbol, plain] = found;
    if (brace !== undefined) yield brace === '{' ? { kind: 'open' } : { kind: 'close' };
    else if (hex !== undefined) yield { kind: 'bytes', bytes: String.fromCharCode(parseInt(hex, 16)) };
    else if (word === 'bin') TOKEN.lastIndex += Math.max(0, Number(value ?? 0));
    else if (word !== undefined) yield { kind: 'word', word, value: value === undefined ? null : Number(value) };
    else if (symbol !== undefined) yield { kind: 'symbol', symbol };
    else if (plain !== undefined) yield { kind: 'bytes', bytes: plain };
    if (all === '') return;
  }
}
