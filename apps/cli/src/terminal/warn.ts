import type { Failure } from '../client/shapes.js';
import { oneLine } from './printable.js';
import type { Screen } from './screen.js';

/** Tells what a reader of an otherwise complete result should know. */
export const warn = (screen: Screen, failures: readonly Failure[]): void => {
  const told = new Set(failures.map(({ code, message, next }) => `${code}: ${oneLine(message)}\n→ ${oneLine(next)}`));
  for (const text of told) screen.remark(text);
};
