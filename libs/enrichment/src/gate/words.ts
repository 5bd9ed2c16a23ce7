import { setWithin } from '@postmaster/contracts';

const WORD = /[\p{L}\p{M}\p{N}]+(?:[-'’.&/][\p{L}\p{M}\p{N}]+)*/gu;
const POSSESSIVE = /['’]s?$/u;
/** Danish and English endings, longest first: enough that the forms of one word meet, which is all that is asked of it. */
const ENDING = /(?:ernes|erne|enes|ingen|ings|ene|ens|ets|ers|ere|est|ede|ing|ed|es|er|en|et|s|e)$/u;
const SHORTEST_STEM = 3;

export interface Word {
  text: string;
  stem: string;
  /** In UTF-16 units. */
  start: number;
  /** Begins a sentence, a line or a quotation, where a capital tells nothing. */
  first: boolean;
}

/** The words of a text in order. */
export const wordsOf = (text: string): Word[] => {
  const words: Word[] = [];
  let end = 0;
  for (const match of text.matchAll(WORD)) {
    const gap = text.slice(end, match.index);
    const first = words.length === 0 || /[.!?:\n\r"“”«»(]/u.test(gap);
    words.push({ text: match[0], stem: stemOf(match[0]), start: match.index, first });
    end = match.index + match[0].length;
  }
  return words;
};

export const stemOf = (word: string): string => {
  const plain = unaccented(word.toLowerCase()).replace(POSSESSIVE, '');
  const cut = plain.replace(ENDING, '');
  return cut.length >= SHORTEST_STEM ? cut : plain;
};

/** "Béthencourt" and "Bethencourt" are one word; æ, ø and å stay what they are. */
export const unaccented = (word: string): string =>
  /[^\p{ASCII}æøå]/u.test(word)
    ? word.replace(/[^\p{ASCII}æøå]/gu, (letter) => letter.normalize('NFD').replace(/\p{M}/gu, ''))
    : word;

/** The stems of a text, of hyphenated words each part as well. */
export const stemsOf = (text: string): Set<string> =>
  new Set(
    wordsOf(text).flatMap(({ text: word, stem }) => [
      stem,
      ...(/[-/.&'’]/u.test(word)
        ? word
            .split(/[-/.&'’]/u)
            .filter(Boolean)
            .map(stemOf)
        : []),
    ]),
  );

/** Words that hold a Danish or an English question together and say nothing of its subject. */
export const FRAME: ReadonlySet<string> = new Set(
  `a an the of in on at to for from by with as into onto over under about between among against during before after and or
   but nor not no is are was were be been being am do does did done has have had having can could may might must shall
   should will would that which who whom whose what when where why how this these those there it its he she they them
   their his her him we you your our i me my than then so such if whether while because also only very more most many much
   some any each every all both either other another same own up down out off per via
   en et den det de der som af i på til for fra med ved om over under mellem mod efter før siden gennem uden og eller men
   ikke ingen er var være været bliver blev blevet har havde have kan kunne skal skulle vil ville må måtte gør gjorde
   hvad hvem hvor hvornår hvordan hvorfor hvilken hvilket hvilke hvis hvori hvoraf at da når mens fordi også kun meget
   mere mest mange nogle nogen noget hver hvert alle begge anden andet andre samme egen sin sit sine hans hendes dens
   dets deres han hun dem vi os jeg mig du dig man sig selv ud op ned ind`.split(/\s+/u),
);

/** A paragraph is compared with its whole document, and each of its questions is looked at several times. */
const MOST_KNOWN = 2_000;
const known = new Map<string, readonly string[]>();

/** The words that a text is about: not those of its frame. Numbers are left to who reads numbers. */
export const contentStems = (text: string): readonly string[] => {
  const stems = known.get(text) ?? readContentStems(text);
  setWithin(known, MOST_KNOWN, text, stems);
  return stems;
};

const readContentStems = (text: string): string[] =>
  wordsOf(text)
    .filter(({ text: word }) => !FRAME.has(word.toLowerCase()) && !/^[\d.,/-]+$/u.test(word))
    .map(({ stem }) => stem);
