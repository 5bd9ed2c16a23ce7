import { gather, wordsOf } from './gather.js';
import type { Part } from './sections.js';

/**
 * Groups a section's parts into paragraphs. A part of a third of `words` words or more stands by itself, as tables and
 * code do, so that a change elsewhere moves no border of it; smaller ones gather. A lead-in ("as follows:") goes with its
 * list, table or code, and a few words alone go with a neighbour.
 */
export const mergeParts = (parts: readonly Part[], words: number): Part[][] => {
  const isLarge = (part: Part | undefined): boolean =>
    part !== undefined && (part.words >= words / 3 || part.kind === 'table' || part.kind === 'code');
  const groups = runsOf(parts, isLarge).flatMap((run) => (isLarge(run[0]) ? [run] : gather(run, words)));

  const merged: Part[][] = [];
  let leading: Part[] = [];
  groups.forEach((group, index) => {
    const own = [...leading, ...group];
    leading = [];
    const next = groups[index + 1];
    const previous = merged.at(-1);
    const isFew = !isLarge(group[0]) && wordsOf(own) < words / 6;
    if (!isLarge(group[0]) && next && isLarge(next[0]) && goesWith(own, next, isFew, words)) leading = own;
    else if (isFew && previous && wordsOf(previous) + wordsOf(own) <= words) previous.push(...own);
    else merged.push(own);
  });
  return merged;
};

/** Every large part by itself, the small ones between them together. */
const runsOf = (parts: readonly Part[], isLarge: (part: Part) => boolean): Part[][] => {
  const runs: Part[][] = [];
  let isOpen = false;
  for (const part of parts) {
    const large = isLarge(part);
    if (isOpen && !large) runs.at(-1)?.push(part);
    else runs.push([part]);
    isOpen = !large;
  }
  return runs;
};

/** Whether small parts stand better before the large one that follows them than alone. */
const goesWith = (own: readonly Part[], next: readonly Part[], isFew: boolean, words: number): boolean => {
  const leadsIn = own.at(-1)?.text.endsWith(':') === true && next[0]?.kind !== 'text';
  return leadsIn || (isFew && wordsOf(own) + wordsOf(next) <= words);
};
