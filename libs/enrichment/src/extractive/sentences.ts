const segmenter = new Intl.Segmenter('und', { granularity: 'sentence' });

/** "C.", "U.S.", "bl.a.", and words without a vowel as "Dr.", "St.", "nr.": their dot ends no sentence. */
const ABBREVIATED = /(?:^|[\s(["'“„«])(?:\p{L}\.|(?:\p{L}{1,3}\.){2,}|\p{L}?[bcdfghjklmnpqrstvwxz]{1,3}\.)$/u;
/** Short words that are abbreviations before a number only: "ca. 500", "Vol. 2", "No. 5". */
const BEFORE_NUMBER = /(?:^|[\s(])\p{L}{1,4}\.$/u;

/**
 * The sentences of a text in any language, trimmed, whitespace folded; joined by spaces they give the text again.
 * Line ends end a sentence too, so the rows of a table and the items of a list stand alone.
 */
export const sentences = (text: string): string[] => text.split(/[\r\n\u2028\u2029]+/u).flatMap(sentencesOfLine);

const sentencesOfLine = (line: string): string[] => {
  const gathered: string[][] = [];
  let lastWord = '';
  for (const { segment } of segmenter.segment(line)) {
    const piece = segment.replace(/\s+/gu, ' ').trim();
    if (!piece) continue;
    const last = gathered.at(-1);
    if (last && goesOn(lastWord, piece)) last.push(piece);
    else gathered.push([piece]);
    lastWord = piece.slice(piece.lastIndexOf(' ') + 1);
  }
  return gathered.map((pieces) => pieces.join(' '));
};

const goesOn = (lastWord: string, next: string): boolean =>
  ABBREVIATED.test(lastWord) || (/^\p{N}/u.test(next) && BEFORE_NUMBER.test(lastWord)) || !/[\p{L}\p{N}]/u.test(next);

/**
 * Consecutive sentences gathered into at most `parts` texts of about equal length; fewer where there are fewer
 * sentences. Together they hold every sentence once.
 */
export const evenParts = (all: readonly string[], parts: number): string[] => {
  const total = all.reduce((sum, sentence) => sum + sentence.length, 0);
  const gathered: string[][] = Array.from({ length: parts }, () => []);
  let before = 0;
  for (const sentence of all) {
    const middle = (before + sentence.length / 2) / total;
    gathered[Math.min(parts - 1, Math.floor(middle * parts))]?.push(sentence);
    before += sentence.length;
  }
  return gathered.filter((part) => part.length > 0).map((part) => part.join(' '));
};
