import { withoutInstructions, withoutLinks } from '@postmaster/contracts';
import { areAlike, type WhatIsAsked, whatIsAsked } from '../gate/alike.js';
import { contentStems } from '../gate/words.js';
import { sentences } from '../extractive/sentences.js';
import type { DocumentSummary } from './summary-model.js';

export const EXTRACTIVE_SUMMARY_VERSION = 'extractive-summary-1';

/** Words of a sentence that can stand alone. */
const [LEAST_WORDS, MOST_WORDS] = [5, 50];
/** So many of the points make the paragraph. */
const IN_PARAGRAPH = 3;
/** What the first sentence counts more; half of it for the second, and so on. */
const OPENING = 0.5;
const LEANING =
  /^(?:he|she|it|they|this|these|that|those|however|therefore|then|han|hun|den|det|de|dette|denne|disse|derfor|dog|derefter)(?![\p{L}])/iu;

/**
 * A summary of a text's own best sentences, for when no language model is there: pure, deterministic. Best are those
 * whose content stems stand in many of the text's sentences (as SumBasic weighs words: Nenkova and Vanderwende 2005),
 * more so at its beginning, no two alike; points in the order of the text, the paragraph of the best of them. A text of
 * no whole sentence is summed up by its first lines.
 */
export const extractSummary = (text: string, points: number): DocumentSummary => {
  const all = [...new Set(sentences(withoutInstructions(text)).map((one) => withoutLinks(one).trim()))].filter((one) =>
    /[\p{L}\p{N}]/u.test(one),
  );
  const whole = all.filter(standsAlone);
  const likely = whole.length > 0 ? whole : all;
  const stems = likely.map((sentence) => new Set(contentStems(sentence)));
  const holding = new Map<string, number>();
  for (const own of stems) for (const stem of own) holding.set(stem, (holding.get(stem) ?? 0) + 1);
  const scored = likely.map((sentence, at) => {
    const own = [...(stems[at] ?? [])];
    const central =
      own.reduce((sum, stem) => sum + (holding.get(stem) ?? 0), 0) / Math.max(1, own.length * likely.length);
    return { sentence, at, score: central * (1 + OPENING / (1 + at)) };
  });
  const best: typeof scored = [];
  const said: WhatIsAsked[] = [];
  for (const one of scored.sort((a, b) => b.score - a.score || a.at - b.at)) {
    if (best.length === points) break;
    const says = whatIsAsked(one.sentence);
    if (said.some((other) => areAlike(other, says))) continue;
    said.push(says);
    best.push(one);
  }
  const inOrder = (some: typeof scored): string[] =>
    [...some].sort((a, b) => a.at - b.at).map(({ sentence }) => sentence);
  return { points: inOrder(best), paragraph: inOrder(best.slice(0, IN_PARAGRAPH)).join(' ') };
};

const standsAlone = (sentence: string): boolean => {
  const words = sentence.split(' ').length;
  return words >= LEAST_WORDS && words <= MOST_WORDS && /[.!?…]["'”’»)]*$/u.test(sentence) && !LEANING.test(sentence);
};
