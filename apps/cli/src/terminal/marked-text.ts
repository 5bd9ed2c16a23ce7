import type { Hit } from '../client/shapes.js';
import { printable } from './printable.js';

/** Marks without width, which no text of ours keeps: they take no column while lines are made. */
const [ON, OFF] = ['\ufe00', '\ufe01'];
const MARKS = new RegExp(`[${ON}${OFF}]`, 'gu');
const MARKED = new RegExp(`${ON}([^${OFF}]*)${OFF}`, 'gu');

/** A text laid out in lines, with what is highlighted in it painted. Offsets are code points of the text as it came. */
export const markedText = (
  text: string,
  highlights: Hit['highlights'],
  layOut: (text: string) => string,
  paint: (text: string) => string,
): string => {
  const points = [...text];
  const part = (from: number, to?: number): string => printable(points.slice(from, to).join('')).replace(MARKS, '');
  let marked = '';
  let at = 0;
  for (const { start, end } of highlights) {
    marked += `${part(at, start)}${ON}${part(start, end)}${OFF}`;
    at = end;
  }
  return layOut(marked + part(at)).replace(MARKED, (_, words: string) => paint(words));
};
