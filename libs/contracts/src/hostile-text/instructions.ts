import { setWithin } from '../set-within.js';
import { SENTENCE_SIGNS, TURN_SIGNS } from './instruction-signs.js';

/** Offsets in UTF-16 units, `end` past the last one. */
export interface Span {
  start: number;
  end: number;
}

/** What a sentence must come to, to be taken for an instruction. */
const ENOUGH = 2;
/** The sentence after one that ends so is what is to be said. */
const ANNOUNCES = /[:—–-]\s*$|(?<![\p{L}])(?:following|below|next|nedenstående|følgende|næste|herunder)(?![\p{L}])/iu;
/** Hardly a text has one of these; those without are not looked at further. */
const LIKELY =
  /instru|prompt|ignor|disregard|forget|overr|bypass|glem|bort fra|tilsidesæt|overhør|language model|sprogmodel|(?<![\p{L}])(?:ai|llm|gpt|chatgpt|chatbot)(?![\p{L}])|intelligens|assist|repl[yi]|respond|answer|output|svar|skriv|include|insert|append|indsæt|tilføj|medtag|nævn|user|bruger|system|"\s*[}\]:]|<\||\[\/?INST|<[/a-z]|!\[|facet|relevan|tool|værktøj|bedøm|grade|role/iu;

/**
 * Where a text tells a language model what to do: sentences that have enough signs of it, what they announce, and lines
 * beside them with any sign. Danish and English. What is worded in no way that is known, spelt out, or encoded passes;
 * a text about such instructions that quotes one is taken for one.
 */
export const instructionsIn = (text: string): readonly Span[] => {
  const known = recent.get(text);
  if (known) return known;
  const spans = look(text);
  if (text.length <= LONGEST_KEPT) setWithin(recent, MOST_KEPT, text, spans);
  return spans;
};

/** A paragraph is looked at several times: for itself, for its neighbours, and for what is made of it. */
const recent = new Map<string, readonly Span[]>();
const MOST_KEPT = 1_000;
const LONGEST_KEPT = 4_000; // UTF-16 units

const look = (text: string): Span[] => {
  if (!LIKELY.test(text)) return [];
  const turn = firstTurn(text);
  const sentences = sentencesOf(text.slice(0, turn)).map((span) => ({
    ...span,
    weight: weightOf(text.slice(span.start, span.end)),
  }));
  const isHostile = sentences.map(({ weight }) => weight >= ENOUGH);
  if (isHostile.some(Boolean) || turn < text.length)
    sentences.forEach(({ weight }, at) => {
      const before = at > 0 && isHostile[at - 1] ? sentences[at - 1] : undefined;
      const announced = before && ANNOUNCES.test(text.slice(before.start, before.end));
      if (weight > 0 || announced) isHostile[at] = true;
    });
  const spans = sentences.filter((_, at) => isHostile[at]).map(({ start, end }) => ({ start, end }));
  return turn < text.length ? [...spans, { start: turn, end: text.length }] : spans;
};

/** The text with spaces in the place of its instructions: as long as before, so that every offset holds. */
export const withoutInstructions = (text: string): string => {
  let rest = '';
  let from = 0;
  for (const { start, end } of instructionsIn(text)) {
    rest += text.slice(from, start) + text.slice(start, end).replace(/[^\n]/g, ' ');
    from = end;
  }
  return rest + text.slice(from);
};

/** A sentence is weighed as part of its paragraph, of its document's beginning, and of the part that is summed up. */
const weightOf = (sentence: string): number => {
  const known = weights.get(sentence);
  if (known !== undefined) return known;
  const weight = SENTENCE_SIGNS.reduce((sum, sign) => (sign.form.test(sentence) ? sum + sign.weight : sum), 0);
  if (sentence.length <= LONGEST_SENTENCE) setWithin(weights, MOST_WEIGHTS, copyOf(sentence), weight);
  return weight;
};

/** A slice would keep the whole text that it is of. */
const copyOf = (text: string): string => Buffer.from(text).toString();

const weights = new Map<string, number>();
const MOST_WEIGHTS = 10_000;
const LONGEST_SENTENCE = 400; // UTF-16 units

/** Where the first imitated turn of a chat begins; the text's length where there is none. */
const firstTurn = (text: string): number =>
  Math.min(text.length, ...TURN_SIGNS.map((form) => form.exec(text)?.index ?? text.length));

const END = /[.!?…]+["'”’»)\]]*(?=\s|$)|\n+/gu;

/** Sentences and lines, with the white space after them. */
const sentencesOf = (text: string): Span[] => {
  const spans: Span[] = [];
  let start = 0;
  const cut = (end: number): void => {
    if (/\S/u.test(text.slice(start, end))) spans.push({ start, end });
    start = end;
  };
  for (const match of text.matchAll(END)) cut(match.index + match[0].length);
  cut(text.length);
  return spans;
};
