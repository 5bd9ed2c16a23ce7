import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { TenantId } from '@postmaster/contracts';
import { lanceDbStore } from './index.js';

const tenant = TenantId.parse('ours');
const index = { name: 'index', encoder: 'test', dimension: 8 };
const folder = await mkdtemp(join(tmpdir(), 'postmaster-crash-'));
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Four writers with rows in common, compactions among them; says "revision:first id" when a put has ended. */
const WRITER = `
  import { lanceDbStore } from ${JSON.stringify(new URL('../dist/index.js', import.meta.url).href)};
  const [folder, from] = process.argv.slice(1);
  const store = lanceDbStore({ folder, idle: 50 });
  const index = ${JSON.stringify(index)};
  const vector = (n) => Float32Array.from({ length: 8 }, (_, i) => Math.sin(n + i) + 0.01);
  const payload = (n) => ({ text: 'words of ' + n, active: true, document: 'd', title: 't', metadata: {}, trail: [] });
  let revision = Number(from);
  const write = async (writer) => {
    for (let round = 0; ; round++) {
      const own = ++revision;
      const first = ((round * 4 + writer) % 16) * 200;
      const patches = Array.from({ length: 200 }, (_, i) => ({
        id: 'p' + (first + i), revision: own, payload: payload(own),
        vectors: { paragraph: vector(i), simple_questions: [vector(own), vector(i + own)] },
      }));
      await store.put('ours', index, patches);
      console.log(own + ':' + first);
      if (round % 3 === writer) await store.optimize('ours', index);
    }
  };
  await Promise.all([0, 1, 2, 3].map(write));`;

/** Puts that have ended before a kill, at least: without them there would be nothing to lose. */
const LEAST_ENDED = 8;

/** Lets a writer work for a while from its first ended puts on, kills it, and tells which puts had ended. */
const writeAndKill = async (from: number, milliseconds: number): Promise<[revision: number, first: number][]> => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', WRITER, folder, String(from)], {
    cwd: join(import.meta.dirname, '..'),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended: [number, number][] = [];
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => ended.push(line.split(':').map(Number) as [number, number])); // two numbers, as written above
  while (ended.length < LEAST_ENDED) await once(lines, 'line');
  await setTimeout(milliseconds);
  child.kill('SIGKILL');
  await once(child, 'close');
  return ended;
};

describe('a table whose process is killed', () => {
  it('opens again and holds every row of the puts that had ended once, as they left it or later', async () => {
    const least = new Map<string, number>();
    for (const [kill, milliseconds] of [150, 400, 700, 1000, 1300].entries()) {
      for (const [revision, first] of await writeAndKill(kill * 1_000_000, milliseconds))
        for (let i = 0; i < 200; i++) least.set(`p${first + i}`, revision);
      const store = lanceDbStore({ folder });
      const revisions = await store.revisions(tenant, index);
      for (const [id, revision] of least) expect(revisions.get(id)).toBeGreaterThanOrEqual(revision);
      const vector = new Float32Array(8).fill(0.5);
      const probe = { vector, text: 'words', legs: ['paragraph', 'simple_questions', 'lexical'] as const };
      const lists = await store.candidates(tenant, index.name, probe, 10_000);
      const ids = [...revisions.keys()].sort();
      for (const list of Object.values(lists)) expect(list.map(({ id }) => id).sort()).toEqual(ids);
      const completed = await store.complete(tenant, index.name, probe, ids);
      expect(completed).toHaveLength(ids.length);
      for (const { id, payload } of completed) expect(payload.text).toBe(`words of ${revisions.get(id)}`);
      await store.close();
    }
    expect(least.size).toBeGreaterThan(1000);
  }, 60_000);
});
