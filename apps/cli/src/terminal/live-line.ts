import type { Output } from '../surroundings.js';

export interface LiveLine {
  /** Shows the line, in the place of the one before. */
  show(line: string): void;
  /** Writes a lasting line above it. */
  above(text: string): void;
  /** Takes it away. */
  clear(): void;
}

const CLEAR = '\r\u001b[K';

/** A line at the foot of a terminal that is written over; on any other output only what goes above it is written. */
export const liveLine = (output: Output): LiveLine => {
  let shown = '';
  const put = (text: string): void => {
    if (output.isTTY) output.write(text);
  };
  return {
    show: (line) => {
      if (line === shown) return;
      shown = line;
      put(CLEAR + line);
    },
    above: (text) => {
      if (shown !== '') put(CLEAR);
      output.write(`${text}\n`);
      if (shown !== '') put(shown);
    },
    clear: () => {
      if (shown !== '') put(CLEAR);
      shown = '';
    },
  };
};
