import { mkdtemp, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readSet } from './read-set.js';

const FILES = {
  'paragraphs.jsonl': [
    { id: 'p1', document: 'd', title: 'T', position: 0, text: 'One.' },
    { id: 'p2', document: 'd', title: 'T', position: 1, text: 'Two.' },
  ],
  'queries.jsonl': [{ id: 'q1', text: 'Two?', answers: ['Two'] }],
  'facets.jsonl': ['p2', 'p1'].map((id) => ({
    id,
    simple_questions: ['?'],
    complex_questions: [],
    context: '',
    scope: '',
  })),
};

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'set-'));
  for (const [name, rows] of Object.entries(FILES))
    await write(name, rows.map((row) => JSON.stringify(row)).join('\n'));
  await write('qrels.tsv', 'query\tparagraph\tgrade\nq1\tp2\t1\n');
});
afterEach(() => rm(dir, { recursive: true }));

const write = (name: string, text: string) => writeFile(join(dir, name), text);

describe('readSet', () => {
  it('reads the four files, facets in the order of the paragraphs', async () => {
    const set = await readSet(dir);
    expect(set.paragraphs.map(({ id }) => id)).toEqual(['p1', 'p2']);
    expect(set.recorded?.map(({ id }) => id)).toEqual(['p1', 'p2']);
    expect(set.judged).toEqual([new Map([['p2', 1]])]);
    expect(set.hashes['qrels.tsv']).toMatch(/^[0-9a-f]{64}$/);
  });

  it('reads a set without recorded facets, and questions that nothing answers', async () => {
    await unlink(join(dir, 'facets.jsonl'));
    await write('queries.jsonl', '{"id":"q1","text":"Two?"}\n{"id":"q2","text":"Ten?","unanswerable":true}');
    const set = await readSet(dir);
    expect(set.recorded).toBeNull();
    expect(set.judged).toEqual([new Map([['p2', 1]]), new Map()]);
  });

  it.each(['paragraphs.jsonl', 'queries.jsonl', 'qrels.tsv'])('names a missing %s', async (name) => {
    await unlink(join(dir, name));
    await expect(readSet(dir)).rejects.toThrow(`${join(dir, name)}: there is no such file`);
  });

  it.each([
    ['queries.jsonl', '{"id":"q1","text":"Two?","answers":["Two"]}\n{"id":', 'queries.jsonl:2: '],
    ['queries.jsonl', '{"id":"q1","text":2,"answers":[]}', 'queries.jsonl:1: text: '],
    [
      'queries.jsonl',
      '{"id":"q1","text":"a","answers":[]}\n{"id":"q1","text":"b","answers":[]}',
      'queries.jsonl:2: "q1" comes a second',
    ],
    ['qrels.tsv', 'query\tparagraph\tgrade\nq1\tp9\t1', 'qrels.tsv:2: there is no paragraph "p9"'],
    ['qrels.tsv', 'query\tparagraph\tgrade\n\nq9\tp1\t1', 'qrels.tsv:3: there is no query "q9"'],
    ['qrels.tsv', 'query\tparagraph\tgrade\nq1\tp1', 'qrels.tsv:2: the grade is ""'],
    ['queries.jsonl', '{"id":"q1","text":"?!"}', 'queries.jsonl:1: text: has no letter and no digit'],
    ['queries.jsonl', '{"id":"q1","text":"Two?"}\n{"id":"q2","text":"Ten?"}', 'queries.jsonl:2: "q2" has no right'],
    ['queries.jsonl', '{"id":"q1","text":"Two?","unanswerable":true}', 'qrels.tsv:2: the query "q1" is marked'],
    ['qrels.tsv', 'query\tparagraph\tgrade\nq1\tp2\t0', 'queries.jsonl:1: "q1" has no right paragraph'],
    ['facets.jsonl', '', 'paragraphs.jsonl:1: "p1" has no facets'],
    [
      'facets.jsonl',
      '{"id":"p9","simple_questions":[],"complex_questions":[],"context":"","scope":""}',
      'facets.jsonl:1: there is no paragraph "p9"',
    ],
  ])('names file and line of what is wrong in %s', async (name, text, message) => {
    await write(name, text);
    await expect(readSet(dir)).rejects.toThrow(message);
  });
});
