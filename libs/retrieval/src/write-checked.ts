import { failure, type Notice } from '@postmaster/contracts';
import { type AnswerModel, NOT_FOUND } from './answer-model.js';
import { checkSentence, type CheckGround, type KeptCitation } from './check-sentence.js';
import type { NumberedHit } from './extract-answer.js';
import { namesIn, weighedWords } from './question-words.js';
import { SentenceBuffer } from './sentence-buffer.js';
import { checkedSource } from './supports.js';

export interface CheckedPart {
  text: string;
  kept: KeptCitation[];
  removed: Notice | null;
}

/** What the model writes, sentence by sentence, with every citation checked before it is let out; or 'not found'. */
export async function* writeChecked(
  model: AnswerModel,
  query: string,
  language: string | null,
  sources: readonly NumberedHit[],
  languageOf: (text: string) => string | null,
  signal?: AbortSignal,
): AsyncGenerator<CheckedPart | 'not found', void, undefined> {
  const ground = groundOf(query, language, sources, languageOf);
  const numbered = sources.map(({ marker, hit: { paragraph } }) => ({
    marker,
    title: paragraph.title,
    trail: paragraph.trail,
    text: paragraph.text,
  }));
  const buffer = new SentenceBuffer();
  let before = '';
  let begun = false;
  const checked = (sentence: string): CheckedPart => {
    const { text, kept, removed } = checkSentence(sentence, before, ground);
    before = sentence;
    return { text: text.replaceAll(NOT_FOUND, ''), kept, removed: removalNotice(sentence, removed, ground) };
  };
  for await (const piece of model.write(query, numbered, language ?? 'en', signal))
    for (const sentence of buffer.push(piece)) {
      if (!begun && saysNotFound(sentence)) return yield 'not found';
      begun ||= sentence.trim() !== '';
      yield checked(sentence);
    }
  for (const sentence of buffer.end()) {
    if (!begun && saysNotFound(sentence)) return yield 'not found';
    begun ||= sentence.trim() !== '';
    yield checked(sentence);
  }
}

const saysNotFound = (sentence: string): boolean => /^[\s\W]*NOT[_ ]FOUND\b/.test(sentence);

const groundOf = (
  query: string,
  language: string | null,
  sources: readonly NumberedHit[],
  languageOf: (text: string) => string | null,
): CheckGround => ({
  language,
  languageOf,
  question: weighedWords(query),
  names: new Set([query, ...sources.map(({ hit }) => hit.paragraph.text)].flatMap(namesIn)),
  sources: new Map(
    sources.map(({ marker, hit: { paragraph } }) => [
      marker,
      checkedSource({ marker, ...paragraph }, paragraph.language ?? languageOf(paragraph.text)),
    ]),
  ),
});

const SHOWN = 200;

const removalNotice = (sentence: string, removed: readonly number[], { sources }: CheckGround): Notice | null => {
  if (removed.length === 0) return null;
  const reasons = [...new Set(removed)].map((marker) =>
    sources.has(marker) ? `[${marker}], which does not support it` : `[${marker}], which is no source`,
  );
  const shown = sentence.trim().slice(0, SHOWN);
  return failure('CITATION_REMOVED', `A sentence cited ${reasons.join(', and ')}: “${shown}”`);
};
