/** Code points of a text that one call reads: with a prompt of about 300 tokens it fits a window of 8,192. */
export const PART = 12_000;
/** A document takes so many calls at most, and one to join what they say. */
export const MOST_PARTS = 8;

/**
 * Where the parts of a text of this length begin, and how long each is: together all of it, in as few equal parts as
 * hold it; of a text that is longer than MOST_PARTS of them, so many spread evenly from its beginning to its end.
 */
export const summaryParts = (length: number): { starts: number[]; size: number } => {
  const count = Math.min(MOST_PARTS, Math.max(1, Math.ceil(length / PART)));
  const size = Math.min(PART, Math.ceil(length / count));
  const step = count === 1 ? 0 : (length - size) / (count - 1);
  return { starts: Array.from({ length: count }, (_, at) => Math.round(at * step)), size };
};

/** How many points a text of this length is summed up in. */
export const pointsFor = (length: number): number => (length < 1_500 ? 3 : length < PART ? 5 : 7);
