import type { Output, Surroundings } from '../surroundings.js';

const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;

export type Colour = keyof typeof CODES;
export type Paint = Record<Colour, (text: string) => string>;

/** Colours for an output that is a terminal, unless NO_COLOR (no-color.org) or a dumb terminal forbids them. */
export const paintFor = (output: Output, env: Surroundings['env']): Paint => {
  const coloured = Boolean(output.isTTY) && !env.NO_COLOR && env.TERM !== 'dumb';
  const painter =
    ([on, off]: readonly [number, number]) =>
    (text: string): string =>
      coloured && text !== '' ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  return {
    bold: painter(CODES.bold),
    dim: painter(CODES.dim),
    red: painter(CODES.red),
    green: painter(CODES.green),
    yellow: painter(CODES.yellow),
    cyan: painter(CODES.cyan),
  };
};
