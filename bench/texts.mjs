// What the benches read: the paragraphs, facets and questions of ../shared/data/xquad-en, and copies of them where more
// are needed.
import { existsSync, readFileSync } from 'node:fs';

const data = new URL('../../shared/data/xquad-en/', import.meta.url);

export const SKIPPED = existsSync(data) ? undefined : { skipped: 'there is no ../shared/data/xquad-en' };
export const RULE =
  'xquad-en (240 paragraphs) as it is, then copies in which one word in three, chosen by mulberry32 seeded 7, is ' +
  'another word of the set';

const lines = (name) =>
  readFileSync(new URL(name, data), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/** mulberry32: numbers in 0…1, the same ones for the same seed. */
export const random = (seed) => () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
};

export const questions = () => lines('queries.jsonl').map(({ text }) => text);

/** `count` paragraphs with their facets; `base` is the original's number, `copy` 0 for the original itself. */
export const paragraphs = (count) => {
  const originals = lines('paragraphs.jsonl');
  const facets = new Map(lines('facets.jsonl').map((one) => [one.id, one]));
  const vocabulary = [...new Set(originals.flatMap(({ text }) => text.split(' ')))];
  const next = random(7);
  const swapped = (text) =>
    text
      .split(' ')
      .map((word) => (next() < 1 / 3 ? vocabulary[Math.floor(next() * vocabulary.length)] : word))
      .join(' ');
  return Array.from({ length: count }, (_, i) => {
    const base = i % originals.length;
    const copy = Math.floor(i / originals.length);
    const { id, document, title, position, text } = originals[base];
    const its = facets.get(id);
    const of = copy === 0 ? (words) => words : swapped;
    return {
      id: `${id}-${copy}`,
      ...{ base, copy, title, position },
      document: `${document}-${copy}`,
      text: of(text),
      simpleQuestions: its.simple_questions.map(of),
      complexQuestions: its.complex_questions.map(of),
      context: of(its.context),
      scope: of(its.scope),
    };
  });
};

/** Markdown documents of up to `each` paragraphs, as a user would upload them. */
export const documents = (texts, each) =>
  Array.from({ length: Math.ceil(texts.length / each) }, (_, i) => {
    const part = texts.slice(i * each, (i + 1) * each);
    const body = part.map(({ title, text }, at) => (title === part[at - 1]?.title ? text : `## ${title}\n\n${text}`));
    return { name: `bench-${i}.md`, text: `# Part ${i}\n\n${body.join('\n\n')}\n` };
  });
