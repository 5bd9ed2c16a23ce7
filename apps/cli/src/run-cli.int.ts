import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runIn, type Ran } from '../test/run-in.js';
import { KEY, type StandIn, startStandIn } from '../test/stand-in-gateway.js';
import type { Report } from './ingest/report.js';

describe('the command line with a server', () => {
  let home: string;
  let server: StandIn;
  const run = (args: string[], env: Record<string, string> = {}): Promise<Ran> =>
    runIn(args, { home, env: { POSTMASTER_URL: server.url, POSTMASTER_API_KEY: KEY, ...env } });
  const reportIn = (ran: Ran): Report => JSON.parse(ran.stdout) as Report;

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'postmaster-cli-'));
    server = await startStandIn();
  });
  afterEach(async () => {
    await server.close();
    await rm(home, { recursive: true, force: true });
  });

  it('hands a folder over under absolute paths and follows it to its end', async () => {
    await mkdir(join(home, 'in'));
    await writeFile(join(home, 'in', 'Æble.md'), 'An apple.');
    const ran = await run(['ingest', 'in', '-c', 'fruit', '--json']);
    const sourceId = join(home, 'in', 'Æble.md').replaceAll('\\', '/');
    expect(reportIn(ran)).toMatchObject({
      totals: { added: 1, failed: 0 },
      documents: [{ source: sourceId, outcome: 'added', status: 'READY', paragraphs: 2 }],
    });
    expect(server.uploads).toEqual([
      expect.objectContaining({
        sourceType: 'file',
        sourceId,
        collection: 'fruit',
        priority: 'INTERACTIVE',
        filename: 'Æble.md',
        file: 'An apple.',
      }),
    ]);
    expect(ran.exitCode).toBe(0);
  });

  it('tells what was unchanged and what changed since', async () => {
    await writeFile(join(home, 'a.md'), 'one');
    await writeFile(join(home, 'b.md'), 'two');
    await run(['ingest', 'a.md', 'b.md']);
    await writeFile(join(home, 'b.md'), 'three');
    const ran = await run(['ingest', 'a.md', 'b.md', '--json']);
    expect(reportIn(ran).totals).toMatchObject({ added: 0, changed: 1, unchanged: 1 });
  });

  it('reports every failure with its next step, goes on with the rest and ends with 1', async () => {
    await writeFile(join(home, 'empty.md'), '');
    await writeFile(join(home, 'scan.pdf'), 'x');
    await writeFile(join(home, 'good.md'), 'good');
    const failure = { code: 'NO_TEXT', message: 'No text was found.', next: 'Run OCR.' };
    server.fate = (name) => (name === 'scan.pdf' ? { status: 'FAILED', failure } : {});
    const ran = await run(['ingest', 'empty.md', 'scan.pdf', 'good.md']);
    expect(ran.stdout).toContain('EMPTY_FILE: It was EMPTY_FILE.\n  → Do this.');
    expect(ran.stdout).toContain('NO_TEXT: No text was found.\n  → Run OCR.');
    expect(ran.stdout).toContain('1 added, 0 changed, 0 unchanged, 2 failed');
    expect(ran.exitCode).toBe(1);
  });

  it('gives many files the bulk lane', async () => {
    await Promise.all(Array.from({ length: 21 }, (_, at) => writeFile(join(home, `${at}.md`), `n ${at}`)));
    await run(['ingest', '.']);
    expect(server.uploads.map(({ priority }) => priority)).toEqual(Array(21).fill('BULK'));
  });

  it('refuses more than 1,000 calls to a remote model where nobody can agree, and sends nothing', async () => {
    server.remote = true;
    await writeFile(join(home, 'long.md'), 'x'.repeat(2_000_000));
    const ran = await run(['ingest', 'long.md']);
    expect(ran.stderr).toContain('openai:big is not on this machine');
    expect(ran.stderr).toContain('1 for metadata, 9 for summaries');
    expect(ran.stderr).toContain('money that is not known');
    expect(ran.stderr).toContain('Add `--yes`');
    expect([ran.exitCode, server.uploads.length]).toEqual([2, 0]);
    expect((await run(['ingest', 'long.md', '--yes'])).exitCode).toBe(0);
  });

  it('says before anything is sent what calls for facets, metadata and summaries would cost', async () => {
    server.remote = true;
    server.price = { currency: 'EUR', input: 10, output: 20 };
    await writeFile(join(home, 'one.md'), 'x'.repeat(1_000));
    await writeFile(join(home, 'note.md'), 'short');
    const { expected } = JSON.parse((await run(['ingest', '.', '--dry-run', '--json'])).stdout);
    expect(expected).toMatchObject({
      calls: 6,
      tasks: { facets: { calls: 3 }, metadata: { calls: 2 }, summaries: { calls: 1 } },
      money: { currency: 'EUR' },
    });
    const { inputTokens, outputTokens, money } = expected;
    expect(money.amount).toBeCloseTo((inputTokens * 10 + outputTokens * 20) / 1e6, 12);
    expect((await run(['ingest', 'one.md'])).stderr).toMatch(/2 for facets, 1 for metadata.* out, EUR \d/);
  });

  it('stops waiting after the timeout and says what goes on', async () => {
    await writeFile(join(home, 'slow.md'), 'slow');
    server.fate = () => ({ status: 'SEARCHABLE' });
    const ran = await run(['ingest', 'slow.md', '--timeout', '1']);
    expect(ran.stderr).toContain('The time is up. The server goes on with 1 document');
    expect(ran.exitCode).toBe(1);
  });

  it('ends with 130 when it is stopped, and says what goes on', async () => {
    await writeFile(join(home, 'slow.md'), 'slow');
    server.fate = () => ({ status: 'SEARCHABLE' });
    const stop = new AbortController();
    const env = { POSTMASTER_URL: server.url, POSTMASTER_API_KEY: KEY };
    const running = runIn(['ingest', 'slow.md'], { home, env, signal: stop.signal });
    setTimeout(() => stop.abort(), 500);
    const ran = await running;
    expect(ran.stderr).toContain('Stopped. The server goes on with 1 document');
    expect(ran.exitCode).toBe(130);
  });

  it('fails a document that is deleted while it is followed', async () => {
    await writeFile(join(home, 'gone.md'), 'gone');
    server.fate = () => ({ status: 'PARSED' });
    const running = run(['ingest', 'gone.md', '--json']);
    setTimeout(() => server.documents.clear(), 400);
    expect(reportIn(await running).documents[0]).toMatchObject({ outcome: 'failed', failure: { code: 'NOT_FOUND' } });
  });

  it('shows what is like a paragraph: where its words stand, what repeats it, what each leg gave', async () => {
    const ran = await run(['similar', 'p0', '-n', '3', '--why']);
    expect(ran.stdout).toContain('nearly the same: 1 paragraph, in Almanac, copy');
    expect(ran.stdout).toMatch(/lexical\s+3\.000\s+1\.000\s+1\s+1\.000\s+0\.900/);
    expect(server.operations.at(-1)?.variables).toEqual({ paragraph: 'p0', first: 3 });
  });

  it('sums documents up, each point with its source', async () => {
    const ran = await run(['summarize', '-c', 'ships', '--points', '2']);
    expect(ran.stdout).toBe(
      '• It holds 12 ships. [1]\n\n[1] Almanac, page 3 · Harbour\n    “It holds 12 ships.”\nof 2 documents, by extractive\n',
    );
    expect(server.operations.at(-1)?.variables).toMatchObject({ filter: { collections: ['ships'] }, points: 2 });
  });

  it('asks for groups, diversity and copies as the server names them', async () => {
    await run(['search', 'ships', '--by-document', '--per-document', '2', '--diversity', '0.5', '--duplicates']);
    expect(server.operations.at(-1)?.variables.options).toEqual({
      groupBy: 'DOCUMENT',
      perGroup: 2,
      diversity: 0.5,
      foldDuplicates: false,
    });
    await run(['search', 'ships', '--no-summaries']);
    expect(server.operations.at(-1)?.variables.options).toEqual({ summaries: false });
  });

  it('prints an answer as it comes and then the places that it rests on', async () => {
    const ran = await run(['ask', 'how', 'many', 'ships?']);
    expect(ran.stdout).toBe('It holds 12 ships. [1]\n\n[1] Almanac, page 3 · Harbour\n    “It holds 12 ships.”\n');
    expect(ran.exitCode).toBe(0);
  });

  it('folds an answer into one JSON value', async () => {
    const answered: unknown = JSON.parse((await run(['ask', 'how many?', '--json'])).stdout);
    expect(answered).toMatchObject({ answer: 'It holds 12 ships. [1]', found: true, citations: [{ marker: 1 }] });
  });

  it('deletes with --yes only, where nobody can be asked', async () => {
    await writeFile(join(home, 'a.md'), 'one');
    const id = String(reportIn(await run(['ingest', 'a.md', '--json'])).documents[0]?.id);
    expect((await run(['delete', id])).exitCode).toBe(2);
    expect(server.documents.size).toBe(1);
    expect((await run(['delete', id, '--yes'])).stdout).toBe(
      `1 document deleted
SERVICE    PLACE       LEFT
ingestion  paragraphs     0
ingestion  documents      0  1 kept until 2026-11-29: A tombstone.
Nothing is left (2026-11-21T10:00:01Z).
`,
    );
    expect(server.documents.size).toBe(0);
  });

  it('deletes by source, all or a tenant, and never two of these at once', async () => {
    await writeFile(join(home, 'a.md'), 'one');
    await run(['ingest', 'a.md']);
    await run(['delete', '--source', '/notes', '--source-type', 'file', '--yes']);
    expect(server.operations.at(-2)?.variables).toMatchObject({ filter: { sourceId: '/notes', sourceType: 'file' } });
    await run(['ingest', 'a.md']);
    await run(['delete', '--all', '--yes']);
    expect(server.operations.at(-2)?.variables).toMatchObject({
      filter: { status: expect.arrayContaining(['READY']) },
    });
    expect(JSON.parse((await run(['delete', '--tenant', 'acme', '--yes', '--json'])).stdout)).toMatchObject({
      ...{ tenant: 'acme', complete: true },
    });
    expect(server.requests).toEqual(['DELETE /api/v1/tenants/acme', 'GET /api/v1/tenants/acme/deletion']);
    expect((await run(['delete', '--tenant', 'acme'])).exitCode).toBe(2);
    for (const both of [
      ['--all', '-c', 'x'],
      ['id', '--all'],
      ['--tenant', 'acme', '--all'],
      ['id', '--tenant', 'acme'],
    ])
      expect((await run(['delete', ...both, '--yes'])).exitCode).toBe(2);
    expect(server.requests).toHaveLength(2);
  });

  it('touches nothing where one of the ids is not known', async () => {
    await writeFile(join(home, 'a.md'), 'one');
    const id = String(reportIn(await run(['ingest', 'a.md', '--json'])).documents[0]?.id);
    const ran = await run(['delete', id, 'nobody', '--yes']);
    expect(ran.stderr).toContain('There is no document nobody.');
    expect([ran.exitCode, server.documents.size]).toEqual([1, 1]);
  });

  it('ends with 4 where the key is not accepted, and says where keys are', async () => {
    const ran = await run(['documents'], { POSTMASTER_API_KEY: 'another' });
    expect(ran.stderr).toContain('KEY_INVALID: It was KEY_INVALID.\n→ Set POSTMASTER_API_KEY');
    expect(ran.exitCode).toBe(4);
  });

  it('tries again what fails for a reason that passes, then tells it', async () => {
    const ran = await run(['search', 'anything', '--json']);
    expect(server.operations).toHaveLength(4);
    expect(JSON.parse(ran.stdout)).toEqual({
      error: { code: 'SERVICE_UNAVAILABLE', message: 'It was SERVICE_UNAVAILABLE.', next: 'Do this.' },
    });
    expect(ran.exitCode).toBe(1);
  });
});
