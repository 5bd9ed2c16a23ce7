import { bestSentence } from './best-sentence.js';
import { type CitationGroup, citationGroups } from './citation-groups.js';
import { legible, shareHeld, type WeighedWord, weighedWords } from './question-words.js';
import { type CheckedSource, type Claim, claimOf, sameLanguage, support } from './supports.js';
import type { Sentence } from './sentences.js';

/** What citations of one answer are checked against. */
export interface CheckGround {
  sources: ReadonlyMap<number, CheckedSource>;
  question: readonly WeighedWord[];
  /** Names known from question and sources, as they are written: at a sentence's start a capital tells nothing. */
  names: ReadonlySet<string>;
  languageOf: (text: string) => string | null;
  /** What an answer is taken to be written in where its sentence doesn't tell. */
  language: string | null;
}

export interface KeptCitation {
  marker: number;
  /** The source's sentence that supports the claim best; null where none shares a word with it. */
  quote: Sentence | null;
}

export interface CheckedSentence {
  /** The sentence with only the citations that hold, each as [n]. */
  text: string;
  kept: KeptCitation[];
  removed: number[];
}

/**
 * Takes out of a sentence the citations that don't exist or don't support what they are given for. `before` is the
 * sentence before, which stands in for a "sentence" of nothing but citations.
 */
export const checkSentence = (sentence: string, before: string, ground: CheckGround): CheckedSentence => {
  const groups = citationGroups(sentence);
  if (groups.length === 0) return { text: sentence, kept: [], removed: [] };
  const language = ground.languageOf(withoutCitations(sentence)) ?? ground.language;
  const claims = claimTexts(sentence, groups, before).map((text) => claimOf(text, language, ground.names));
  const kept: KeptCitation[] = [];
  const removed: number[] = [];
  let text = '';
  let from = 0;
  groups.forEach((group, i) => {
    const claim = claims[i]!;
    const holding = holdingMarkers(group, claim, ground);
    removed.push(...group.markers.filter((marker) => !holding.includes(marker)));
    for (const marker of holding) kept.push({ marker, quote: quoteFor(claim, ground.sources.get(marker)!) });
    text += sentence.slice(from, group.start);
    if (holding.length > 0) text += spaceBefore(sentence, group) + holding.map((marker) => `[${marker}]`).join('');
    from = group.end;
  });
  return { text: text + sentence.slice(from), kept, removed };
};

const spaceBefore = (sentence: string, group: CitationGroup): string =>
  /^[ \t]*/.exec(sentence.slice(group.start, group.end))?.[0] ?? '';

export const withoutCitations = (text: string): string => {
  let rest = '';
  let from = 0;
  for (const { start, end } of citationGroups(text)) {
    rest += text.slice(from, start);
    from = end;
  }
  return rest + text.slice(from);
};

const LIST_MARK = /^\s*(?:[-*•]|\d{1,3}[.)])\s+/;
const hasContent = (text: string): boolean => weighedWords(text).length > 0 || /\d/.test(text);

/**
 * What each group is given for: the text since the group before. The last one also answers for what follows it, and
 * one with nothing before it ("In [2], the tower …") for what comes after it.
 */
const claimTexts = (sentence: string, groups: readonly CitationGroup[], before: string): string[] => {
  const parts = groups.map((group, i) => sentence.slice(groups[i - 1]?.end ?? 0, group.start).replace(LIST_MARK, ''));
  const tail = sentence.slice(groups.at(-1)!.end);
  return parts.map((part, i) => {
    const last = i === groups.length - 1;
    if (hasContent(part)) return last ? `${part} ${tail}` : part;
    const after = last ? tail : parts[i + 1]!;
    if (hasContent(after)) return `${part} ${after}`;
    const whole = withoutCitations(sentence);
    return hasContent(whole) ? whole : withoutCitations(before);
  });
};

/** Those that support the claim alone; else the fewest that do so together. */
const holdingMarkers = ({ markers }: CitationGroup, claim: Claim, ground: CheckGround): number[] => {
  const sources = markers.flatMap((marker) => ground.sources.get(marker) ?? []);
  const alone = sources.filter((source) => fits(claim, [source], ground));
  if (alone.length > 0 || sources.length < 2) return alone.map(({ marker }) => marker);
  if (!fits(claim, sources, ground)) return [];
  let needed = sources;
  for (const source of sources) {
    const others = needed.filter((other) => other !== source);
    if (fits(claim, others, ground)) needed = others;
  }
  return needed.map(({ marker }) => marker);
};

/** A claim of fewer content words and numbers ("308.", "Yes.") says too little alone: its source must fit the question. */
const FEW = 2;
const ENOUGH_OF_QUESTION = 0.3;

const fits = (claim: Claim, sources: readonly CheckedSource[], { question }: CheckGround): boolean => {
  if (sources.length === 0 || !support(claim, sources)) return false;
  if (claim.words.length + claim.numbers.length >= FEW || question.length === 0) return true;
  if (!sources.some((source) => sameLanguage(source.language, claim.language))) return true;
  return sources.some((source) => shareHeld(source.legible, question) >= ENOUGH_OF_QUESTION);
};

const quoteFor = (claim: Claim, source: CheckedSource): Sentence | null => {
  const numbers = claim.numbers.flat().map((number) => ({
    stem: legible(number).trim(),
    whole: true,
    inside: false,
    weight: 1.5,
    name: true,
  }));
  const words = [...claim.words, ...numbers];
  const best = bestSentence(source.text, words);
  return best !== null && shareHeld(legible(best.text), words) > 0 ? best : null;
};
