import { appendFile, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { pointPayload } from '@postmaster/testing';
import type { PointState } from './fresh-points.js';
import { Journal } from './journal.js';
import { counted } from './stored-point.js';

const folder = await mkdtemp(join(tmpdir(), 'postmaster-journal-'));
afterAll(() => rm(folder, { recursive: true }));

let at = 0;
let path: string;
beforeEach(() => {
  path = join(folder, `${at++}.journal`);
});

const vector = (n: number): Float32Array => Float32Array.of(n, n + 0.1, n + 0.2);
const kept = (id: string, revision: number): PointState => ({
  id,
  after: counted({
    id,
    revision,
    payload: pointPayload({ text: `Words of ${id} – ${'ø'.repeat(revision)} 🙂` }),
    vectors: {
      paragraph: [vector(revision)],
      simple_questions: [vector(1), vector(2)],
      complex_questions: [],
      context: [],
      scope: [vector(3)],
    },
  }),
});
const gone = (id: string): PointState => ({ id, after: undefined });

const read = async (): Promise<PointState[]> => {
  const { journal, changes } = await Journal.open(path, 3);
  await journal.close();
  return changes;
};
const written = async (...records: PointState[][]): Promise<number[]> => {
  const { journal } = await Journal.open(path, 3);
  const sizes: number[] = [];
  for (const record of records) {
    await journal.append(record);
    sizes.push(journal.size);
  }
  await journal.close();
  return sizes;
};

describe('a journal', () => {
  it('gives back what was appended, in its order, over any number of openings', async () => {
    await written([kept('p', 1), gone('q')], [kept('p', 2)]);
    await written([kept('r', 3)]);
    expect(await read()).toEqual([kept('p', 1), gone('q'), kept('p', 2), kept('r', 3)]);
  });

  it('is empty at first and after it was cleared', async () => {
    expect(await read()).toEqual([]);
    const { journal } = await Journal.open(path, 3);
    await journal.append([kept('p', 1)]);
    await journal.clear();
    expect(journal.size).toBe(0);
    await journal.append([kept('q', 1)]);
    await journal.close();
    expect(await read()).toEqual([kept('q', 1)]);
  });

  it('ends before a record that was cut short anywhere, and goes on from there', async () => {
    const [whole = 0, both = 0] = await written([kept('p', 1)], [kept('q', 2)]);
    const bytes = await readFile(path);
    for (const length of [whole + 1, whole + 11, whole + 12, whole + 40, both - 1]) {
      await writeFile(path, bytes);
      await truncate(path, length);
      expect(await read()).toEqual([kept('p', 1)]);
      await written([kept('r', 1)]);
      expect(await read()).toEqual([kept('p', 1), kept('r', 1)]);
    }
  });

  it('reads nothing into what is damaged or left over behind its end', async () => {
    const [whole = 0] = await written([kept('p', 1)], [kept('q', 2)]);
    const bytes = await readFile(path);
    bytes[whole + 100] = (bytes[whole + 100] ?? 0) ^ 1;
    await writeFile(path, bytes);
    expect(await read()).toEqual([kept('p', 1)]);
    await written([gone('p')]); // shorter than the damaged one, of which the rest stays
    await appendFile(path, 'PMJ1 and more');
    expect(await read()).toEqual([kept('p', 1), gone('p')]);
  });
});
