/** The share of expected words that a text has in the same order (the longest common subsequence), 0…1; marks and case don't count. */
export const wordsInOrder = (expected: string, found: string): number => {
  const [wanted, given] = [wordsOf(expected), wordsOf(found)];
  let above = new Uint32Array(given.length + 1);
  for (const word of wanted) {
    const row = new Uint32Array(given.length + 1);
    given.forEach((other, at) => {
      row[at + 1] = word === other ? (above[at] ?? 0) + 1 : Math.max(above[at + 1] ?? 0, row[at] ?? 0);
    });
    above = row;
  }
  return wanted.length === 0 ? 1 : (above[given.length] ?? 0) / wanted.length;
};

export const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
