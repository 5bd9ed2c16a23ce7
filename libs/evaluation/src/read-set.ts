import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
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

const Query = z.object({
  id: z.string(),
  text: z.string().regex(/[\p{L}\p{N}]/u, 'has no letter and no digit'),
  answers: z.array(z.string()).default([]),
  /** No paragraph answers it; it is asked to see that nothing is found. */
  unanswerable: z.boolean().default(false),
});
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
  /** One for each query, in their order; empty for an unanswerable one. */
  judged: Judgements[];
  /** One for each paragraph, in their order; null where none were recorded. */
  recorded: RecordedFacets[] | null;
  /** Hex SHA-256 of each file that was read. */
  hashes: Record<string, string>;
}

/** What is wrong with a set's file, and where. */
export class SetFileError extends Error {
  override readonly name = 'SetFileError';
  constructor(
    readonly file: string,
    /** 1-based; null where it is the file itself. */
    readonly line: number | null,
    what: string,
  ) {
    super(`${file}${line === null ? '' : `:${line}`}: ${what}`);
  }
}

/**
 * Reads `paragraphs.jsonl`, `queries.jsonl`, `qrels.tsv` and, where it is there, `facets.jsonl` of a folder. Throws
 * SetFileError for a file that is missing, a line that can't be read, an id that is not there, and a question that has
 * no right paragraph though it is not marked unanswerable.
 */
export const readSet = async (dir: string): Promise<EvaluationSet> => {
  const hashes: Record<string, string> = {};
  const load = (name: string): Promise<SetFile> => loadFile(dir, name, hashes);
  const paragraphs = readJsonLines(await load('paragraphs.jsonl'), Paragraph);
  const queries = readJsonLines(await load('queries.jsonl'), Query);
  const judged = readJudgements(await load('qrels.tsv'), queries, new Set(paragraphs.map(({ value }) => value.id)));
  const facets = await load('facets.jsonl').catch((error: unknown) => {
    if (error instanceof SetFileError && error.line === null) return null;
    throw error;
  });
  return {
    name: basename(resolve(dir)),
    paragraphs: paragraphs.map(({ value }) => value),
    queries: queries.map(({ value }) => value),
    judged,
    recorded: facets && readRecorded(facets, join(dir, 'paragraphs.jsonl'), paragraphs),
    hashes,
  };
};

interface SetFile {
  path: string;
  lines: { line: number; text: string }[];
}

interface Line<T> {
  line: number;
  value: T;
}

const loadFile = async (dir: string, name: string, hashes: Record<string, string>): Promise<SetFile> => {
  const path = join(dir, name);
  const bytes = await readFile(path).catch((cause: NodeJS.ErrnoException) => {
    throw new SetFileError(path, null, cause.code === 'ENOENT' ? 'there is no such file' : cause.message);
  });
  hashes[name] = createHash('sha256').update(bytes).digest('hex');
  const lines = bytes
    .toString('utf8')
    .split('\n')
    .map((text, at) => ({ line: at + 1, text: text.replace(/\r$/, '') }))
    .filter(({ text }) => text !== '');
  return { path, lines };
};

const readJudgements = (
  { path, lines }: SetFile,
  queries: readonly Line<SetQuery>[],
  paragraphs: ReadonlySet<string>,
): Judgements[] => {
  const judged = new Map(queries.map(({ value }) => [value.id, new Map<string, number>()]));
  const unanswerable = new Set(queries.filter(({ value }) => value.unanswerable).map(({ value }) => value.id));
  for (const { line, text } of lines) {
    if (line === 1) continue; // the header
    const [query = '', paragraph = '', grade = ''] = text.split('\t');
    const known = judged.get(query);
    if (!known) throw new SetFileError(path, line, `there is no query "${query}"`);
    if (unanswerable.has(query)) throw new SetFileError(path, line, `the query "${query}" is marked unanswerable`);
    if (!paragraphs.has(paragraph)) throw new SetFileError(path, line, `there is no paragraph "${paragraph}"`);
    if (!/^\d+$/.test(grade)) throw new SetFileError(path, line, `the grade is "${grade}", not a number`);
    known.set(paragraph, Number(grade));
  }
  for (const { line, value } of queries)
    if (!value.unanswerable && ![...(judged.get(value.id)?.values() ?? [])].some((grade) => grade > 0))
      throw new SetFileError(
        join(dirname(path), 'queries.jsonl'),
        line,
        `"${value.id}" has no right paragraph in qrels.tsv and is not marked "unanswerable"`,
      );
  return [...judged.values()];
};

const readRecorded = (
  file: SetFile,
  paragraphsPath: string,
  paragraphs: readonly Line<SetParagraph>[],
): RecordedFacets[] => {
  const facets = readJsonLines(file, RecordedFacets);
  const recorded = new Map(facets.map(({ value }) => [value.id, value]));
  const known = new Set(paragraphs.map(({ value }) => value.id));
  for (const { line, value } of facets)
    if (!known.has(value.id)) throw new SetFileError(file.path, line, `there is no paragraph "${value.id}"`);
  return paragraphs.map(({ value: { id }, line }) => {
    const found = recorded.get(id);
    if (!found) throw new SetFileError(paragraphsPath, line, `"${id}" has no facets in facets.jsonl`);
    return found;
  });
};

/** Every line by the schema; an id that comes twice is refused. */
const readJsonLines = <T extends { id: string }>({ path, lines }: SetFile, schema: z.ZodType<T>): Line<T>[] => {
  const seen = new Set<string>();
  return lines.map(({ line, text }) => {
    const read = schema.safeParse(parse(path, line, text));
    if (!read.success) {
      const [issue] = read.error.issues;
      throw new SetFileError(path, line, `${issue?.path.join('.')}: ${issue?.message}`);
    }
    if (seen.has(read.data.id)) throw new SetFileError(path, line, `"${read.data.id}" comes a second time`);
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
