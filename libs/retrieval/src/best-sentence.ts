import { holds, legible, type WeighedWord } from './question-words.js';
import { type Sentence, sentencesOf } from './sentences.js';

/** The sentence that holds most of the words' weight; the first of equals; null for a text without any. */
export const bestSentence = (text: string, words: readonly WeighedWord[]): Sentence | null => {
  let best: Sentence | null = null;
  let most = -1;
  for (const sentence of sentencesOf(text)) {
    const heard = legible(sentence.text);
    let held = 0;
    for (const word of words) if (holds(heard, word)) held += word.weight;
    if (held > most) {
      most = held;
      best = sentence;
    }
  }
  return best;
};
