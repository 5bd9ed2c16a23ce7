import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import type { Judgements } from './metrics.js';

const Paragraph = z.object({
  id: z.string(),
  document: z.string(),
  title: z.string(),
  position: z.number().int(),
  text: z.string(),
});
export type SetParagraph = z.infer<typeof Paragraph>;

const Query = z.object({ id: z.string(), text: z.string(), answers: z.array(z.string()) });
export type SetQuery = z.infer<typeof Query>;

const RecordedFacets = z.object({
  id: z.string(),
  simple_questions: z.array(z.string()),
  complex_questions: z.array(z.string()),
  context: z.string(),
  scope: z.string(),
});
export type RecordedFacets = z.infer<typeof RecordedFacets>;

/** An evaluation set: paragraphs, questions, which paragraphs answer each, and facets that a model wrote. */
export interface EvaluationSet {
  name: string;
  paragraphs: SetParagraph[];
  queries: SetQuery[];
  /** One for each query, in their order. */
  judged: Judgements[];
  /** One for each paragraph, in their order. */
  recorded: RecordedFacets[];
}

/** What is wrong with a set's file, and where. */
export class SetFileError extends Error {
  override readonly name = 'SetFileError';
  constructor(
    readonly file: string,
    readonly line: number,
    what: string,
  ) {
    super(`${file}:${line}: ${what}`);
  }
}

/** Reads `paragraphs.jsonl`, `queries.jsonl`, `qrels.tsv` and `facets.jsonl` of a folder. Throws SetFileError. */
export const readSet = async (dir: string): Promise<EvaluationSet> => {
  const file = (name: string) => join(dir, name);
  const paragraphs = await readJsonLines(file('paragraphs.jsonl'), Paragraph);
  const queries = await readJsonLines(file('queries.jsonl'), Query);
  const facets = await readJsonLines(file('facets.jsonl'), RecordedFacets);
  const paragraphIds = new Set(paragraphs.map(({ value }) => value.id));
  const judged = new Map(queries.map(({ value }) => [value.id, new Map<string, number>()]));
  for (const { line, text } of await readLines(file('qrels.tsv'))) {
    if (line === 1) continue;
    const [query = '', paragraph = '', grade = ''] = text.split('\t');
    const known = judged.get(query);
    if (!known) throw new SetFileError(file('qrels.tsv'), line, `there is no query "${query}"`);
    if (!paragraphIds.has(paragraph))
      throw new SetFileError(file('qrels.tsv'), line, `there is no paragraph "${paragraph}"`);
    if (!/^\d+$/.test(grade)) throw new SetFileError(file('qrels.tsv'), line, `the grade is "${grade}", not a number`);
    known.set(paragraph, Number(grade));
  }
  const recorded = new Map(facets.map(({ value }) => [value.id, value]));
  return {
    name: basename(dir),
    paragraphs: paragraphs.map(({ value }) => value),
    queries: queries.map(({ value }) => value),
    judged: [...judged.values()],
    recorded: paragraphs.map(({ value: { id }, line }) => {
      const found = recorded.get(id);
      if (!found) throw new SetFileError(file('paragraphs.jsonl'), line, `"${id}" has no facets in facets.jsonl`);
      return found;
    }),
  };
};

const readLines = async (file: string): Promise<{ line: number; text: string }[]> =>
  (await readFile(file, 'utf8'))
    .split('\n')
    .map((text, at) => ({ line: at + 1, text: text.replace(/\r$/, '') }))
    .filter(({ text }) => text !== '');

/** Every line by the schema; an id that comes twice is refused. */
const readJsonLines = async <T extends { id: string }>(
  file: string,
  schema: z.ZodType<T>,
): Promise<{ line: number; value: T }[]> => {
  const seen = new Set<string>();
  return (await readLines(file)).map(({ line, text }) => {
    const read = schema.safeParse(parse(file, line, text));
    if (!read.success) {
      const [issue] = read.error.issues;
      throw new SetFileError(file, line, `${issue?.path.join('.')}: ${issue?.message}`);
    }
    if (seen.has(read.data.id)) throw new SetFileError(file, line, `"${read.data.id}" comes a second time`);
    seen.add(read.data.id);
    return { line, value: read.data };
  });
};

const parse = (file: string, line: number, text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SetFileError(file, line, error instanceof Error ? error.message : String(error));
  }
};
