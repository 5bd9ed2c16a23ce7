import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
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
    expect(set.recorded.map(({ id }) => id)).toEqual(['p1', 'p2']);
    expect(set.judged).toEqual([new Map([['p2', 1]])]);
  });

  it.each([
    ['queries.jsonl', '{"id":"q1","text":"Two?","answers":["Two"]}\n{"id":', 'queries.jsonl:2: '],
    ['queries.jsonl', '{"id":"q1","text":2,"answers":[]}', 'queries.jsonl:1: text: '],
    [
      'queries.jsonl',
      '{"id":"q1","text":"","answers":[]}\n{"id":"q1","text":"","answers":[]}',
      'queries.jsonl:2: "q1" comes a second',
    ],
    ['qrels.tsv', 'query\tparagraph\tgrade\nq1\tp9\t1', 'qrels.tsv:2: there is no paragraph "p9"'],
    ['qrels.tsv', 'query\tparagraph\tgrade\n\nq9\tp1\t1', 'qrels.tsv:3: there is no query "q9"'],
    ['qrels.tsv', 'query\tparagraph\tgrade\nq1\tp1', 'qrels.tsv:2: the grade is ""'],
    ['facets.jsonl', '', 'paragraphs.jsonl:1: "p1" has no facets'],
  ])('names file and line of what is wrong in %s', async (name, text, message) => {
    await write(name, text);
    await expect(readSet(dir)).rejects.toThrow(message);
  });
});
