import { numbersIn } from './numbers.js';
import { contentStems, wordsOf } from './words.js';

const ASKED_BY: Readonly<Record<string, string>> = {
  ...{ who: 'who', whom: 'who', whose: 'whose', hvem: 'who', hvis: 'whose', when: 'when', hvornår: 'when' },
  ...{ where: 'where', hvor: 'where', why: 'why', hvorfor: 'why', how: 'how', hvordan: 'how' },
  ...{ what: 'what', which: 'what', hvad: 'what', hvilken: 'what', hvilket: 'what', hvilke: 'what' },
};
/** What somebody asks politely with. */
const POLITE: ReadonlySet<string> = new Set(
  'tell please know explain say sig sige fortæl fortælle venligst vide gerne forklar kindly exactly præcis'
    .split(' ')
    .flatMap((word) => contentStems(word)),
);
/** Of the words that either question has about its subject, two that ask the same share this much. */
const ALIKE = 0.8;

/** What a question asks, apart from how it says so. */
export interface WhatIsAsked {
  text: string;
  stems: ReadonlySet<string>;
  numbers: string;
  by: string | undefined;
}

/** Whether two questions ask the same in other words: those about their subject are, the numbers are, what is asked is. */
export const areAlike = (one: WhatIsAsked, other: WhatIsAsked): boolean => {
  if (one.numbers !== other.numbers || (one.by && other.by && one.by !== other.by)) return false;
  const shared = [...one.stems].filter((stem) => other.stems.has(stem)).length;
  const all = new Set([...one.stems, ...other.stems]).size;
  return all === 0 ? one.text.toLowerCase() === other.text.toLowerCase() : shared / all >= ALIKE;
};

export const whatIsAsked = (question: string): WhatIsAsked => ({
  text: question,
  stems: new Set(contentStems(question).filter((stem) => !POLITE.has(stem))),
  numbers: numbersIn(question)
    .map(({ readings }) => readings.join())
    .sort()
    .join(' '),
  by: wordsOf(question)
    .map(({ text }) => ASKED_BY[text.toLowerCase()])
    .find(Boolean),
});
