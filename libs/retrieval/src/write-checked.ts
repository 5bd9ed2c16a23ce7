import { failure, type Notice } from '@postmaster/contracts';
import { type AnswerModel, NOT_FOUND, type Source } from './answer-model.js';
import { type SaidOfSources, saidOfSources, shownSource } from './hostile-sources.js';
import { checkSentence, type CheckGround, type KeptCitation } from './check-sentence.js';
import type { Numbered, Passage } from './join-neighbours.js';
import { namesIn, weighedWords } from './question-words.js';
import { SentenceBuffer } from './sentence-buffer.js';
import { checkedSource } from './supports.js';

export interface CheckedPart {
  text: string;
  kept: KeptCitation[];
  removed: Notice | null;
}

/** What the model answers, checked as `checkWritten` does. */
export const writeChecked = (
  model: AnswerModel,
  query: string,
  language: string | null,
  passages: readonly Passage[],
  languageOf: (text: string) => string | null,
  signal?: AbortSignal,
  onWriter?: (model: string) => void,
): AsyncGenerator<CheckedPart | 'not found', void, undefined> =>
  checkWritten(
    (sources) => model.write(query, sources, language ?? 'en', signal, onWriter),
    query,
    language,
    passages,
    languageOf,
  );

/**
 * What is written of sources, sentence by sentence, with every citation checked before it is let out; or 'not found'.
 * `query` is what was asked, empty where nothing was.
 */
export async function* checkWritten(
  write: (sources: readonly Source[]) => AsyncIterable<string>,
  query: string,
  language: string | null,
  passages: readonly Passage[],
  languageOf: (text: string) => string | null,
): AsyncGenerator<CheckedPart | 'not found', void, undefined> {
  const said = saidOfSources(passages.flat().map(asRead), [query]);
  const shown = passages.map(shownPassage);
  const ground = groundOf(query, language, shown, languageOf);
  const buffer = new SentenceBuffer();
  let before = '';
  let begun = false;
  const checked = (sentence: string): CheckedPart => {
    if (said.isTold(sentence)) return leftOut(sentence);
    const { text, kept, removed } = checkSentence(sentence, before, ground);
    before = sentence;
    const plain = said.plain(text.replaceAll(NOT_FOUND, ''));
    return {
      text: SIGNS_ALONE.test(plain) ? spaceAfter(plain) : plain,
      kept,
      removed: removalNotice(sentence, removed, ground, said),
    };
  };
  for await (const piece of write(shown.map(sourceOf)))
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

/** What is left of a link or an image that went. */
const SIGNS_ALONE = /^[\s!<>*•-]*$/;

const spaceAfter = (text: string): string => /\s*$/.exec(text)?.[0] ?? '';

/** Nothing of it is shown, not even in the notice. */
const leftOut = (sentence: string): CheckedPart => ({
  text: spaceAfter(sentence),
  kept: [],
  removed: failure('SENTENCE_REMOVED', 'A sentence said what only instructions within a source say.'),
});

/** The source in the larger passage that it is read in, where it is. */
const asRead = ({ paragraph, read }: Numbered) => ({ ...paragraph, ...read });

const shownPassage = (passage: Passage): Passage => {
  const [first, ...rest] = passage.map((one): Numbered => {
    const { read } = one;
    const paragraph = shownSource(one.paragraph);
    return { ...one, paragraph, ...(read && { read: { ...read, text: shownSource(asRead(one)).text } }) };
  });
  return first ? [first, ...rest] : passage;
};

const sourceOf = (passage: Passage): Source => ({
  title: passage[0].paragraph.title,
  trail: passage[0].paragraph.trail,
  paragraphs: passage.map(({ marker, paragraph, read }) => ({ marker, text: (read ?? paragraph).text })),
});

const groundOf = (
  query: string,
  language: string | null,
  passages: readonly Passage[],
  languageOf: (text: string) => string | null,
): CheckGround => ({
  language,
  languageOf,
  question: weighedWords(query),
  names: new Set([query, ...passages.flat().map(({ paragraph, read }) => (read ?? paragraph).text)].flatMap(namesIn)),
  sources: new Map(
    passages
      .flat()
      .map(({ marker, paragraph, read }) => [
        marker,
        checkedSource({ marker, ...paragraph, ...read }, paragraph.language ?? languageOf(paragraph.text)),
      ]),
  ),
});

const SHOWN = 200;

const removalNotice = (
  sentence: string,
  removed: readonly number[],
  { sources }: CheckGround,
  { plain }: SaidOfSources,
): Notice | null => {
  if (removed.length === 0) return null;
  const reasons = [...new Set(removed)].map((marker) =>
    sources.has(marker) ? `[${marker}], which does not support it` : `[${marker}], which is no source`,
  );
  const shown = plain(sentence).trim().slice(0, SHOWN);
  return failure('CITATION_REMOVED', `A sentence cited ${reasons.join(', and ')}: “${shown}”`);
};
