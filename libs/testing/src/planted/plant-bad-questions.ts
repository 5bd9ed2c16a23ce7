import { seeded } from '../seeded.js';

/** A paragraph of an evaluation set with the questions that were recorded for it. */
export interface AskedParagraph {
  id: string;
  document: string;
  text: string;
  questions: readonly string[];
}

export const FAULTS = [
  'another paragraph of the document',
  'another document',
  'another language',
  'an invented name',
  'an invented number',
  'a repetition',
] as const;
export type PlantedFault = (typeof FAULTS)[number];

export interface PlantedQuestion {
  fault: PlantedFault;
  paragraph: string;
  text: string;
}

/** Bad questions for the paragraphs of a set, as many of each fault, the same ones for the same seed. */
export const plantBadQuestions = (
  language: 'da' | 'en',
  own: readonly AskedParagraph[],
  /** The same paragraphs in another language, in the same order. */
  foreign: readonly AskedParagraph[],
  count: number,
  seed: number,
): PlantedQuestion[] => {
  const random = seeded(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const names = own.flatMap(({ document, text }) => namesOf(text).map((name) => ({ document, name })));
  const textOf = (document: string): string =>
    own
      .filter((one) => one.document === document)
      .map(({ text }) => text)
      .join('\n');

  const make: Record<PlantedFault, (at: number) => string | undefined> = {
    'another paragraph of the document': (at) =>
      pick(own.filter((one) => one.document === own[at]!.document && one.id !== own[at]!.id))?.questions.at(
        -1 - Math.floor(random() * 5),
      ),
    'another document': (at) => pick(pick(own.filter(({ document }) => document !== own[at]!.document)).questions),
    'another language': (at) => pick(foreign[at]!.questions),
    'an invented name': (at) => {
      const known = textOf(own[at]!.document).toLowerCase();
      const { name } = pick(names.filter((one) => !known.includes(one.name.toLowerCase().slice(0, 4))));
      const question = pick(own[at]!.questions);
      const [replaced] = namesOf(question.slice(question.indexOf(' ')));
      return replaced
        ? question.replace(replaced, name)
        : withEnd(question, ` ${language === 'da' ? 'i' : 'in'} ${name}`);
    },
    'an invented number': (at) => {
      const question = pick(own[at]!.questions);
      let number = '';
      do number = String(Math.floor(random() * (random() < 0.5 ? 2000 : 90)) + 13);
      while (textOf(own[at]!.document).includes(number));
      const [replaced] = question.match(/\d+/u) ?? [];
      return replaced
        ? question.replace(replaced, number)
        : withEnd(question, ` ${language === 'da' ? 'i' : 'in'} ${number}`);
    },
    'a repetition': (at) => reworded(language, pick(own[at]!.questions), random),
  };
  return Array.from({ length: count }, (_, i) => {
    const fault = FAULTS[i % FAULTS.length]!;
    for (;;) {
      const at = Math.floor(random() * own.length);
      const text = make[fault](at);
      if (text) return { fault, paragraph: own[at]!.id, text };
    }
  });
};

const namesOf = (text: string): string[] => text.match(/(?<=\p{Ll} )\p{Lu}\p{Ll}{4,}/gu) ?? [];

const withEnd = (question: string, end: string): string => question.replace(/\?$/u, `${end}?`);

const reworded = (language: 'da' | 'en', question: string, random: () => number): string => {
  const small = question[0]!.toLowerCase() + question.slice(1);
  const forms = {
    da: [
      question,
      question.toUpperCase(),
      `Kan du fortælle mig, ${small}`,
      question.replace(/\?$/u, ' præcis?'),
      ` ${question.replace(' ', '  ')}`,
    ],
    en: [
      question,
      question.toUpperCase(),
      `Can you tell me ${small}`,
      question.replace(/\?$/u, ' exactly?'),
      ` ${question.replace(' ', '  ')}`,
    ],
  }[language];
  return forms[Math.floor(random() * forms.length)]!;
};
