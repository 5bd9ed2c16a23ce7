/** After these a full stop ends no sentence; Unicode's rules (UAX #29) know no abbreviations. */
const ABBREVIATIONS = new Set(
  [
    'dr mr mrs ms prof st no nr vol fig eq sec ch pp p ed eds vs cf al etc inc ltd jr sr approx dept est e.g i.e u.s',
    'f.eks bl.a m.fl m.v mv osv ca kl pkt stk jf jvf evt ang maks min hhv dvs inkl ekskl kgl hr fr frk cand red udg',
    'z.b d.h u.a usw bzw ggf vgl bd abs art str evtl sog tel nr',
    't.ex bl.a dvs s.k m.m kap ung',
  ].flatMap((line) => line.split(' ')),
);

const endsInAbbreviation = (sentence: string): boolean => {
  const last = /(\S+)\.\s*$/.exec(sentence)?.[1];
  if (last === undefined) return false;
  const word = last.replace(/^[^\p{L}\p{N}]+/u, '');
  return ABBREVIATIONS.has(word.toLowerCase()) || /^\p{Lu}$/u.test(word) || /^(\p{L}\.)+\p{L}$/u.test(word);
};

const segmenters = new Map<string, Intl.Segmenter>();
const segmenterOf = (language: string): Intl.Segmenter => {
  let segmenter = segmenters.get(language);
  if (!segmenter) segmenters.set(language, (segmenter = new Intl.Segmenter(language, { granularity: 'sentence' })));
  return segmenter;
};

/** Where each sentence ends, in UTF-16 units, past the space that follows it; the last is the text's length. */
export const sentenceEnds = (text: string, language?: string | null): number[] => {
  // A line end within running text is no sentence end, and Unicode's rules take it for one.
  const flat = text.replace(/\n/g, ' ');
  const ends: number[] = [];
  for (const { segment, index } of segmenterOf(language ?? 'en').segment(flat)) {
    const end = index + segment.length;
    if (end < flat.length && endsInAbbreviation(segment)) continue;
    ends.push(end);
  }
  return ends;
};
