import { FUNCTION_WORDS } from '../extractive/function-words.js';
import { FRAME, wordsOf } from '../gate/words.js';
import { findMentions } from './find-mentions.js';
import { nameKey } from './name-key.js';
import { genitiveOf } from './same-names.js';

const MOST_WORDS = 64;
const LONGEST = 5;
/** Written small, a shorter word is no name: "us", "who". */
const SHORTEST_SMALL = 4;

/** A run of a question's words that may be a name; `from` and `to` are places of words. */
export interface AskedName {
  keys: readonly string[];
  from: number;
  to: number;
}

/**
 * The names that a question may hold, the longer first: those that stand out in it, and any run of its words, as people
 * ask without capitals. Which of them are names, the graph says.
 */
export const namesAsked = (question: string): AskedName[] => {
  const words = wordsOf(question).slice(0, MOST_WORDS);
  const runs: AskedName[] = [];
  for (let from = 0; from < words.length; from++)
    for (let to = from; to < Math.min(words.length, from + LONGEST); to++) {
      const [first, last] = [words[from]!, words[to]!];
      if (frames(first.text) || frames(last.text)) continue;
      if (from === to && first.text.length < SHORTEST_SMALL && !/^\p{Lu}/u.test(first.text)) continue;
      const key = nameKey(question.slice(first.start, last.start + last.text.length));
      const base = genitiveOf(key);
      runs.push({ keys: base === undefined ? [key] : [key, base], from, to });
    }
  const dates = findMentions(question, null).mentions.filter(({ type }) => type === 'date');
  return [
    ...dates.map(({ key }) => ({ keys: [key], from: -1, to: -1 })),
    ...runs.sort((a, b) => b.to - b.from - (a.to - a.from)),
  ];
};

const frames = (word: string): boolean => {
  const lower = word.toLowerCase();
  return FRAME.has(lower) || FUNCTION_WORDS.has(lower);
};

/** Those that are known; of runs within each other the longest. */
export const knownNames = (asked: readonly AskedName[], known: ReadonlySet<string>): string[] => {
  const taken: AskedName[] = [];
  return asked.flatMap((name) => {
    const key = name.keys.find((one) => known.has(one));
    const within = name.from >= 0 && taken.some(({ from, to }) => from <= name.from && name.to <= to);
    if (key === undefined || within) return [];
    taken.push(name);
    return [key];
  });
};
