/** A stretch of a text that is never cut inside, and what it costs. `start` and `end` are UTF-16 offsets. */
export interface Unit {
  start: number;
  end: number;
  tokens: number;
}

/**
 * Cuts a text between its units into the fewest pieces of at most `capacity` tokens, without overlap, as equal in
 * tokens as the units allow; what stands between two units at a cut (space) is in neither piece. No unit may cost
 * more than `capacity`.
 */
export const cutWindows = (text: string, units: readonly Unit[], capacity: number): string[] => {
  const upTo = runningSum(units);
  const total = upTo[units.length] ?? 0;
  if (total <= capacity) return [text];
  const earliest = earliestStarts(upTo, capacity);
  const pieces: string[] = [];
  let from = 0;
  for (let left = earliest.length; left > 0; left--) {
    const target = upTo[from]! + (total - upTo[from]!) / left;
    // the rest has to fit into the pieces that are left after this one
    let to = left === 1 ? units.length : earliest[left - 2]!;
    while (to < units.length && upTo[to + 1]! - upTo[from]! <= capacity && nearer(upTo[to + 1]!, upTo[to]!, target))
      to++;
    pieces.push(text.slice(units[from]!.start, units[to - 1]!.end));
    from = to;
  }
  return pieces;
};

const nearer = (a: number, b: number, target: number): boolean => Math.abs(a - target) <= Math.abs(b - target);

/** `sums[i]`: the tokens of the first i units. */
const runningSum = (units: readonly Unit[]): number[] => {
  const sums = [0];
  for (const { tokens } of units) sums.push(sums.at(-1)! + tokens);
  return sums;
};

/** `starts[k - 1]`: the first unit from which on everything fits into k pieces, filled from the end; the last is 0. */
const earliestStarts = (upTo: readonly number[], capacity: number): number[] => {
  const starts: number[] = [];
  let end = upTo.length - 1;
  while (end > 0) {
    let start = end - 1;
    while (start > 0 && upTo[end]! - upTo[start - 1]! <= capacity) start--;
    starts.push(start);
    end = start;
  }
  return starts;
};
