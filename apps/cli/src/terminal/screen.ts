import type { Surroundings } from '../surroundings.js';
import { type Paint, paintFor } from './colours.js';

/** Where results and remarks go: results to stdout, all else to stderr, so that a pipe gets results only. */
export interface Screen {
  json: boolean;
  paint: Paint;
  /** Columns of the terminal; undefined where stdout is none. */
  columns: number | undefined;
  /** The command's result: `value` as JSON, or as text. Called once. */
  result(value: unknown, text: () => string): void;
  /** A piece of the result as text, while it comes; nothing with --json. */
  piece(text: string): void;
  /** For a person; nothing with --json. */
  remark(text: string): void;
}

export const screenOf = ({ stdout, stderr, env }: Surroundings, json: boolean): Screen => {
  const paint = paintFor(stdout, env);
  return {
    json,
    paint,
    columns: stdout.isTTY ? (stdout.columns ?? 80) : undefined,
    result: (value, text) => {
      const shown = json ? JSON.stringify(value, null, 2) : text();
      if (shown !== '') stdout.write(`${shown}\n`);
    },
    piece: (text) => {
      if (!json) stdout.write(text);
    },
    remark: (text) => {
      if (!json) stderr.write(`${text}\n`);
    },
  };
};
