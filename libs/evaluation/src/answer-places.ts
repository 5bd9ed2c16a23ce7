import type { Judgements } from './metrics.js';

/** A stretch of a document's plain text, in code points; `end` is past the last one. */
export interface Place {
  document: string;
  start: number;
  end: number;
}

export interface PlacedChunk extends Place {
  id: string;
}

/**
 * Where a question's answers stand in its right paragraphs' documents: every occurrence, in any case, that lies within a
 * right paragraph's own place; so strategies that cut the same text in other ways are judged alike. None where no right
 * paragraph holds an answer word for word.
 */
export const answerPlaces = (
  texts: ReadonlyMap<string, string>,
  right: readonly { document: string; text: string }[],
  answers: readonly string[],
): Place[] =>
  right.flatMap(({ document, text }) => {
    const whole = texts.get(document) ?? '';
    const from = whole.indexOf(text);
    if (from < 0) return [];
    return answers.flatMap((answer) =>
      occurrences(text, answer).map((at) => {
        const start = codePoints(whole, from + at);
        return { document, start, end: start + codePoints(answer) };
      }),
    );
  });

/** A chunk is right (grade 1) where it holds one of the answer's places whole. */
export const judgeByPlace = (chunks: readonly PlacedChunk[], places: readonly Place[]): Judgements =>
  new Map(
    chunks
      .filter((chunk) =>
        places.some(
          ({ document, start, end }) => chunk.document === document && chunk.start <= start && end <= chunk.end,
        ),
      )
      .map(({ id }) => [id, 1]),
  );

const occurrences = (text: string, answer: string): number[] => {
  if (answer === '') return [];
  const pattern = new RegExp(answer.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'giu');
  return [...text.matchAll(pattern)].map(({ index }) => index);
};

const codePoints = (text: string, end = text.length): number => {
  let count = 0;
  for (let at = 0; at < end; at += text.codePointAt(at)! > 0xffff ? 2 : 1) count++;
  return count;
};
