/** FNV-1a (Fowler, Noll, Vo): spreads texts evenly, which is all that is asked of it here. */
const fingerprint = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
};

const BORDERS = 4; // a unit in so many is a border by its content

/**
 * Gathers units in order into groups of up to `words` words; a longer unit is a group by itself. From half of that on a
 * group also ends before a unit whose own content says so (content-defined chunking: Muthitacharoen et al., LBFS, 2001):
 * after an edit the borders soon fall where they fell before, where plain counting would move all that follow.
 */
export const gather = <U extends { text: string; words: number }>(units: readonly U[], words: number): U[][] => {
  const groups: U[][] = [];
  let gathered = 0;
  for (const unit of units) {
    const last = groups.at(-1);
    const isFull = gathered + unit.words > words;
    const isBorder = gathered >= words / 2 && fingerprint(unit.text) % BORDERS === 0;
    if (last && !isFull && !isBorder) {
      last.push(unit);
      gathered += unit.words;
    } else {
      groups.push([unit]);
      gathered = unit.words;
    }
  }
  return groups;
};

export const wordsOf = (units: readonly { words: number }[]): number =>
  units.reduce((sum, { words }) => sum + words, 0);
