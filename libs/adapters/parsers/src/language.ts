import { detectAll } from 'tinyld';
import { FUNCTION_WORDS, SPELLINGS } from './function-words.js';

/** The languages that have a word: a word of one language alone counts 1 for it, one of four a quarter for each. */
const VOTES: ReadonlyMap<string, readonly string[]> = (() => {
  const votes = new Map<string, string[]>();
  for (const [language, words] of Object.entries(FUNCTION_WORDS)) {
    for (const word of new Set(words.split(' '))) votes.set(word, [...(votes.get(word) ?? []), language]);
  }
  return votes;
})();

const SAMPLE = 4000; // UTF-16 units
const LONG = 200; // letters
const FEW_WORDS = 10; // different ones: a sheet of marks has many letters and says nothing
/** Running text has a function word in every three or four; far fewer are chance. */
const LEAST_SHARE = 0.1;
const SPELLING_WEIGHT = 0.4;

/**
 * The language of a paragraph, a document or a question (ISO 639-1), or null where it can't be told: of a name or a
 * few nouns it can't. Votes of function words decide; between languages that share theirs (Danish and Norwegian), and
 * for languages and scripts without a list here, letter statistics do (tinyld).
 */
export const languageOf = (text: string): string | null => {
  const sample = text.slice(0, SAMPLE).replace(/https?:\S+/g, ' ');
  const words = sample.match(/\p{L}+/gu) ?? [];
  if (words.length === 0) return null;
  const candidates = votedFor(words);
  return candidates.length === 1 ? (candidates[0] ?? null) : byLetters(sample, words, candidates);
};

/** Languages whose score is near the best, if that is one to go by. A word counts once, and a name (capital letter) not at all. */
const votedFor = (words: readonly string[]): string[] => {
  const plain = new Set(
    words.filter((word, index) => index === 0 || !/^\p{Lu}/u.test(word)).map((word) => word.toLowerCase()),
  );
  const scores = new Map<string, number>();
  let found = 0;
  for (const word of plain) {
    const languages = VOTES.get(word) ?? [];
    if (languages.length > 0) found++;
    for (const language of languages) scores.set(language, (scores.get(language) ?? 0) + 1 / languages.length);
  }
  for (const [language, spelling] of Object.entries(SPELLINGS)) {
    const score = scores.get(language);
    if (score === undefined) continue;
    const spelled = [...plain].filter((word) => spelling.test(word)).length;
    scores.set(language, score + spelled * SPELLING_WEIGHT);
  }
  const best = Math.max(0, ...scores.values());
  const needed = Math.max(plain.size * LEAST_SHARE, plain.size > 25 ? 3 : plain.size > 8 ? 2 : 1);
  if (best < 0.45 || found < needed) return [];
  return [...scores].filter(([, score]) => score > best * 0.7 || best - score < 0.3).map(([language]) => language);
};

const byLetters = (sample: string, words: readonly string[], candidates: readonly string[]): string | null => {
  if (candidates.length > 0) {
    const [best, second] = statisticsOf(sample).filter(({ lang }) => candidates.includes(lang));
    return best && best.accuracy >= 1.3 * (second?.accuracy ?? 0) ? best.lang : null;
  }
  const letters = words.join('').length;
  const latin = sample.match(/\p{Script=Latin}/gu)?.length ?? 0;
  // Other scripts tell a language, or nearly so, by a word; of the Latin ones, those with a list here got no vote.
  const isLittle = letters < LONG || new Set(words).size < FEW_WORDS;
  if (latin > letters / 2 && isLittle) return null;
  const [best, second] = statisticsOf(sample);
  if (!best || best.lang in FUNCTION_WORDS) return null;
  return best.accuracy >= 0.3 && best.accuracy >= 2 * (second?.accuracy ?? 0) ? best.lang : null;
};

const statisticsOf = (sample: string): ReturnType<typeof detectAll> =>
  detectAll(sample.slice(0, 1000)).filter(({ lang }) => lang.length === 2);
