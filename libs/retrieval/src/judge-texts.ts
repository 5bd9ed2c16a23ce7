/** Reasons of grades that no model gave, by ISO 639-1; English for every other language. */
export interface JudgeTexts {
  words(held: number, all: number): string;
  nearestQuestion(question: string): string;
  borneOut(sentences: number, all: number): string;
  answerWords(held: number, all: number): string;
}

const TEXTS: Readonly<Record<'en' | 'da', JudgeTexts>> = {
  en: {
    words: (held, all) => `It holds ${held} of the ${all} words that carry the question`,
    nearestQuestion: (question) => `nearest question: “${question}”`,
    borneOut: (sentences, all) => `${sentences} of ${all} sentences are borne out by the sources`,
    answerWords: (held, all) => `answer and sources hold ${held} of the ${all} words that carry the question`,
  },
  da: {
    words: (held, all) => `Det rummer ${held} af de ${all} ord, der bærer spørgsmålet`,
    nearestQuestion: (question) => `nærmeste spørgsmål: »${question}«`,
    borneOut: (sentences, all) => `${sentences} af ${all} sætninger har dækning i kilderne`,
    answerWords: (held, all) => `svar og kilder rummer ${held} af de ${all} ord, der bærer spørgsmålet`,
  },
};

export const judgeTexts = (language: string | null): JudgeTexts => TEXTS[language === 'da' ? 'da' : 'en'];

/** "One thing; another." */
export const reasonOf = (...parts: readonly string[]): string => `${parts.filter(Boolean).join('; ')}.`;
