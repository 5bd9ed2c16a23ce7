import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readSet } from './read-set.js';

const SETS = join(import.meta.dirname, '..', 'sets');
const KINDS = ['easy', 'hard', 'span', 'crosslingual', 'code', 'unanswerable'] as const;
const LANGUAGES = ['da', 'en'] as const;

const OwnQuery = z.strictObject({
  id: z.string(),
  text: z.string().min(1),
  answers: z.array(z.string().min(1)),
  kind: z.enum(KINDS),
  language: z.enum(LANGUAGES),
  unanswerable: z.literal(true).optional(),
});

const names = (await readdir(SETS, { withFileTypes: true })).filter((one) => one.isDirectory()).map(({ name }) => name);
const sets = await Promise.all(
  names.map(async (name) => {
    const dir = join(SETS, name);
    const lines = (await readFile(join(dir, 'queries.jsonl'), 'utf8')).trimEnd().split('\n');
    const { paragraphs, judged } = await readSet(dir);
    const queries = lines.map((line, at) => ({ ...OwnQuery.parse(JSON.parse(line)), judged: judged[at]! }));
    return { name, dir, paragraphs, queries };
  }),
);

describe.each(sets)('the set $name', ({ dir, paragraphs, queries }) => {
  it('asks at least 150 questions, as many in Danish as in English, within a tenth', () => {
    const danish = queries.filter(({ language }) => language === 'da').length;
    expect(queries.length).toBeGreaterThanOrEqual(150);
    expect(Math.abs(danish / queries.length - 0.5)).toBeLessThan(0.05);
  });

  it.each(LANGUAGES)('has every kind of question, in %s too', (language) => {
    const kinds = new Set(queries.filter((one) => one.language === language).map(({ kind }) => kind));
    expect([...kinds].sort()).toEqual([...KINDS].sort());
  });

  it('judges paragraphs and has an answer for every question but those it calls unanswerable', () => {
    const torn = queries.filter(({ kind, unanswerable = false, judged, answers }) => {
      const said = [kind === 'unanswerable', unanswerable, judged.size === 0, answers.length === 0];
      return new Set(said).size > 1;
    });
    expect(torn).toEqual([]);
  });

  it('judges several paragraphs for every question that spans', () => {
    expect(queries.filter(({ kind, judged }) => kind === 'span' && judged.size < 2)).toEqual([]);
  });

  it('gives answers as they stand in the right paragraphs', () => {
    const texts = new Map(paragraphs.map(({ id, text }) => [id, text.toLowerCase()]));
    const stands = (answer: string, judged: ReadonlyMap<string, number>) =>
      [...judged.keys()].some((id) => texts.get(id)?.includes(answer.toLowerCase()));
    const missing = queries.flatMap(({ id, answers, judged }) =>
      answers.filter((answer) => !stands(answer, judged)).map((answer) => `${id}: ${answer}`),
    );
    expect(missing).toEqual([]);
  });

  it('has paragraphs that stand in their document, in its order, and no text twice', async () => {
    for (const text of [paragraphs, queries]) expect(new Set(text.map((one) => one.text)).size).toBe(text.length);
    // Tables stand in their document with aligned columns, in the paragraph without.
    const squeezed = (text: string) => text.replace(/-{3,}/g, '---').replace(/ +/g, ' ');
    for (const document of new Set(paragraphs.map((one) => one.document))) {
      const own = paragraphs.filter((one) => one.document === document);
      const source = squeezed(await readFile(join(dir, 'documents', `${document}.md`), 'utf8'));
      const places = own.map(({ text }) => source.indexOf(text));
      expect(places).not.toContain(-1);
      expect(places).toEqual([...places].sort((a, b) => a - b));
      expect(own.map(({ id, position }) => `${id} ${position}`)).toEqual(
        own.map((_, at) => `${document}-p${at} ${at}`),
      );
    }
  });
});
