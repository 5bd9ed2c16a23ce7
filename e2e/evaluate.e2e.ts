import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '@postmaster/cli';
import { clientOf } from './client.js';
import { type ServerProcess, startServer, temporaryFolder } from './server-process.js';

const ADMIN = 'operators-key-of-the-test';
const EMBEDDED = process.env.E2E_SERVER !== 'cluster';
const TOPICS = ['boiler', 'garden', 'library', 'harbour', 'bakery', 'orchestra'];

const folder = temporaryFolder();
const set = join(folder.path, 'tiny');
let server: ServerProcess;

const writeRows = (dir: string, name: string, rows: readonly object[]): void =>
  writeFileSync(join(dir, name), rows.map((row) => JSON.stringify(row)).join('\n'));

const paragraphOf = (topic: string, at: number) => ({
  ...{ id: `p${at}`, document: 'd', title: 'Town', position: at },
  text: `The ${topic} of the town was opened in ${1900 + at}. It is kept by the council.`,
});

const writeSet = (): void => {
  mkdirSync(set);
  writeRows(set, 'paragraphs.jsonl', TOPICS.map(paragraphOf));
  writeRows(set, 'queries.jsonl', [
    ...TOPICS.map((topic, at) => ({ id: `q${at}`, text: `When was the ${topic} opened?`, answers: [] })),
    { id: 'none', text: 'How is bread taxed in Peru?', unanswerable: true },
  ]);
  const judged = TOPICS.map((_, at) => `q${at}\tp${at}\t1`);
  writeFileSync(join(set, 'qrels.tsv'), ['query\tparagraph\tgrade', ...judged].join('\n'));
};

/**
 * Ten questions to each paragraph, each of which is a document, that every leg answers; or only the scope, which is
 * another paragraph's text.
 */
const writeLargeSet = (dir: string, { scopeFromNext = false } = {}): void => {
  mkdirSync(dir);
  const paragraphs = TOPICS.map((topic, at) => ({ ...paragraphOf(topic, at), document: topic, position: 0 }));
  writeRows(dir, 'paragraphs.jsonl', paragraphs);
  const queries = TOPICS.flatMap((topic, at) =>
    Array.from({ length: 10 }, (_, n) => ({ id: `q${at}-${n}`, text: `The ${topic} of ${1900 + at}? (${n})` })),
  );
  writeRows(dir, 'queries.jsonl', queries);
  const rightFor = (id: string): string => {
    const at = Number(/^q(\d+)-/.exec(id)?.[1]);
    return `p${scopeFromNext ? (at + 1) % TOPICS.length : at}`;
  };
  const judged = queries.map(({ id }) => `${id}\t${rightFor(id)}\t1`);
  writeFileSync(join(dir, 'qrels.tsv'), ['query\tparagraph\tgrade', ...judged].join('\n'));
  if (!scopeFromNext) return;
  const facets = paragraphs.map(({ id }, at) => ({
    ...{ id, simple_questions: [], complex_questions: [], context: '' },
    scope: paragraphs.at(at - 1)!.text,
  }));
  writeRows(dir, 'facets.jsonl', facets);
};

const postmaster = async (...args: string[]) => {
  const stdout: Buffer[] = [];
  const exitCode = await runCli(
    args,
    {
      ...{ env: {}, home: folder.path, cwd: folder.path, stdin: new PassThrough() },
      stdout: new Writable({ write: (chunk: Buffer, _, next) => (stdout.push(chunk), next()) }),
      stderr: new Writable({ write: (_, __, next) => next() }),
      ...{ now: () => performance.now(), signal: new AbortController().signal },
    },
    'test',
  );
  return { exitCode, value: JSON.parse(Buffer.concat(stdout).toString()) };
};

const evaluate = (...args: string[]) => postmaster('evaluate', set, ...args);

/** Of the tenant's search settings. */
const storedWeights = async () => {
  const asked = '{ tenant { search { weights { scope lexical } } } }';
  const answer = await clientOf(server, server.key).ask<{ tenant: { search: { weights: object | null } } }>(asked);
  return answer.tenant.search.weights;
};

/** The indexes of evaluations that lie on disk. */
const leftOver = (): string[] =>
  EMBEDDED ? readdirSync(join(server.folder, 'data', 'vectors')).filter((name) => name.startsWith('evaluation')) : [];

describe('postmaster evaluate', () => {
  beforeAll(async () => {
    writeSet();
    server = await startServer(folder.path, { POSTMASTER_ADMIN_KEY: ADMIN, ENCODER_THREADS: '1' });
  }, 160_000);
  afterAll(async () => {
    await server.end();
    folder.remove();
  });

  it('measures every way in an index of its own, which is gone afterwards, and writes page and runs', async () => {
    const { exitCode, value } = await evaluate('--json', '--html', 'report.html', '--trec', 'runs');
    expect(value).toMatchObject({
      ...{ set: 'tiny', paragraphs: 6, queries: 6, facets: 'made', completionLoss: 0, withoutRepeats: null },
      ways: { composite: { 'hit@1': 1, 'ndcg@10': 1 }, bm25: { 'recall@5': 1 }, 'contextual-weighted': {}, rrf: {} },
      ablation: { scope: { 'recall@20': 1 }, lexical: {} },
      notFound: { answerable: 6, unanswerable: 1, notFound: 1 },
      notes: expect.arrayContaining([expect.stringContaining('`hyde` is left out')]),
    });
    expect(value.ways.composite.p50Ms).toBeGreaterThan(0);
    expect(exitCode).toBe(0);
    expect(readFileSync(join(folder.path, 'report.html'), 'utf8')).toContain('</html>');
    expect(readFileSync(join(folder.path, 'runs', 'composite.run'), 'utf8')).toMatch(/^q0 Q0 p0 1 1 composite\n/);
    expect(leftOver()).toEqual([]);
    expect(
      (await clientOf(server, server.key).ask<{ documents: object }>('{ documents { totalCount } }')).documents,
    ).toEqual({
      totalCount: 0,
    });
  });

  it('asks a part of the questions by some of the ways', async () => {
    const { value } = await evaluate('--json', '--ways', 'bm25', '--limit', '3');
    expect(Object.keys(value.ways).sort()).toEqual(['bm25', 'composite']);
    expect(value.queries + value.notFound.unanswerable).toBe(3);
  });

  it('names file and line of what is wrong with a set', async () => {
    const qrels = readFileSync(join(set, 'qrels.tsv'), 'utf8');
    writeFileSync(join(set, 'qrels.tsv'), `${qrels}\nq0\tp99\t1`);
    const { exitCode, value } = await evaluate('--json');
    writeFileSync(join(set, 'qrels.tsv'), qrels);
    expect(exitCode).toBe(2);
    expect(value.error).toMatchObject({
      code: 'SET_INVALID',
      message: expect.stringContaining('qrels.tsv:8: there is no paragraph "p99"'),
    });
  });

  it('fits no weights to a set that is too small, and takes none that do not beat the default', async () => {
    const small = await postmaster('tune', set, '--json');
    expect(small.exitCode).toBe(2);
    expect(small.value.error).toMatchObject({
      code: 'SET_TOO_SMALL',
      message: expect.stringContaining('6 questions with a right paragraph, over 1 documents'),
    });

    const even = join(folder.path, 'even');
    writeLargeSet(even);
    const { exitCode, value } = await postmaster('tune', even, '--apply', '--json');
    expect(value).toMatchObject({
      ...{ questions: 60, documents: 6, verdict: 'open', facets: 'made', seed: 1, appliedTo: null },
      heldOut: { default: 1, fitted: 1, difference: { mean: 0 }, better: 0, worse: 0 },
    });
    expect(value.folds).toHaveLength(5);
    expect(exitCode).toBe(1);
    expect(await storedWeights()).toBeNull();
  });

  it('has weights that beat the default count for the tenant', async () => {
    const slanted = join(folder.path, 'slanted');
    writeLargeSet(slanted, { scopeFromNext: true });
    const { exitCode, value } = await postmaster('tune', slanted, '--apply', '--json');
    expect(value).toMatchObject({
      verdict: 'better',
      facets: 'recorded',
      heldOut: { fitted: 1 },
      appliedTo: 'default',
    });
    expect(value.heldOut.difference.low).toBeGreaterThan(0);
    expect(exitCode).toBe(0);
    expect(await storedWeights()).toMatchObject({ scope: value.weights.scope, lexical: value.weights.lexical });
    expect(leftOver()).toEqual([]);
  });

  it("is nothing to another tenant's key, and to one that may not manage", async () => {
    const [ours, operator] = [clientOf(server, server.key), clientOf(server, ADMIN)];
    const post = async (client: typeof ours, path: string, body: object) => {
      const headers = { 'content-type': 'application/json' };
      const answer = await client.get(`/api/v1/evaluations${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    };
    const made = await operator.ask<{ createTenant: { key: { secret: string } } }>(
      'mutation { createTenant(input: { id: "other", name: "Other" }) { ... on NewTenant { key { secret } } } }',
    );
    const theirs = clientOf(server, made.createTenant.key.secret);
    const { createKey } = await ours.ask<{ createKey: { secret: string } }>(
      'mutation { createKey(input: { name: "reader", scopes: [READ] }) { ... on NewKey { secret } } }',
    );
    const { status, body } = await post(ours, '', {});
    expect(status).toBe(201);
    const paragraphs = [{ id: 'p', document: 'd', title: '', position: 0, text: 'A secret.' }];
    expect((await post(ours, `/${body.id}/paragraphs`, { paragraphs })).body).toMatchObject({ paragraphs: 1 });
    const asked = { questions: [{ id: 'q', text: 'secret' }], ways: ['bm25'] };
    for (const [path, given] of [
      ['paragraphs', { paragraphs }],
      ['questions', asked],
    ] as const)
      expect(await post(theirs, `/${body.id}/${path}`, given)).toMatchObject({
        status: 404,
        body: { code: 'NOT_FOUND' },
      });
    expect((await theirs.get(`/api/v1/evaluations/${body.id}`, { method: 'DELETE' })).status).toBe(404);
    expect(await post(clientOf(server, createKey.secret), '', {})).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN' },
    });
    const found = await post(ours, `/${body.id}/questions`, asked);
    expect(found.body).toMatchObject({ questions: [{ id: 'q', ways: { bm25: { ranked: ['p'], ms: null } } }] });
    expect((await ours.get(`/api/v1/evaluations/${body.id}`, { method: 'DELETE' })).status).toBe(200);
    expect((await post(ours, `/${body.id}/questions`, asked)).status).toBe(404);
    expect(leftOver()).toEqual([]);
  });
});
