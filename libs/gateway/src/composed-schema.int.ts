import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';

const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));
const SERVICES = ['tenants', 'ingestion', 'enrichment', 'embedding', 'retrieval'];

const run = (script: string, ...args: string[]) =>
  new Promise<{ code: number; said: string }>((resolve) => {
    const child = execFile(process.execPath, [join(REPOSITORY, 'scripts', script), ...args], (_, out, err) =>
      resolve({ code: child.exitCode ?? 1, said: out + err }),
    );
  });

let copy: string | undefined;
afterEach(async () => {
  if (copy) await rm(copy, { recursive: true });
  copy = undefined;
});

/** The files that composition reads and writes, to be changed at will. */
const checkout = async () => {
  copy = await mkdtemp(join(tmpdir(), 'postmaster-schema-'));
  const files = SERVICES.map((name) => `libs/${name}/src/nest/schema.graphql`);
  for (const file of [...files, 'libs/gateway/supergraph.graphql', 'docs/schema.graphql'])
    await cp(join(REPOSITORY, file), join(copy, file), { recursive: true });
  return copy;
};

const change = async (root: string, service: string, from: string, to: string) => {
  const path = join(root, `libs/${service}/src/nest/schema.graphql`);
  const text = await readFile(path, 'utf8');
  expect(text).toContain(from);
  await writeFile(path, text.replace(from, to));
};

const compose = (root: string, ...args: string[]) => run('compose-schema.mjs', '--root', root, ...args);

describe('the checked-in schema', () => {
  it('is what the services’ SDL files compose to', async () => {
    expect(await run('compose-schema.mjs', '--check')).toEqual({ code: 0, said: '' });
  });

  it('is called stale when an SDL file has moved on, and is brought up to date', async () => {
    const root = await checkout();
    await change(root, 'tenants', '  paragraphWords: Int!\n', '  paragraphWords: Int!\n  "New."\n  motto: String\n');
    const stale = await compose(root, '--check');
    expect(stale.code).toBe(1);
    expect(stale.said).toContain('docs/schema.graphql is stale');
    expect((await compose(root)).code).toBe(0);
    expect(await readFile(join(root, 'docs/schema.graphql'), 'utf8')).toContain('motto: String');
    expect((await compose(root, '--check')).code).toBe(0);
  }, 60_000);

  it('breaks nothing that clients use unless the changelog says so, field by field', async () => {
    const root = await checkout();
    await change(root, 'retrieval', '  "Time spent in retrieval, in milliseconds."\n  tookMs: Float!\n', '');
    await change(root, 'ingestion', '  TITLE_Z_TO_A\n', '');
    const log = (lines: string) => writeFile(join(root, 'CHANGELOG.md'), `# Changes\n\n${lines}\n`);

    const silent = await compose(root);
    expect(silent.code).toBe(1);
    expect(silent.said).toContain('SearchResult.tookMs');
    expect(silent.said).toContain('DocumentOrder.TITLE_Z_TO_A');

    await log('## Unreleased\n\n- Breaking: SearchResult.tookMs is gone.');
    expect((await compose(root)).said).toContain('DocumentOrder.TITLE_Z_TO_A');
    const both = '- Breaking: `SearchResult.tookMs` is gone.\n- Breaking: DocumentOrder.TITLE_Z_TO_A is gone.';
    await log(`## Unreleased\n\n## 0.1.0\n\n${both}`);
    expect((await compose(root)).code).toBe(1);
    await log(`## Unreleased\n\n${both}\n\n## 0.1.0`);
    expect(await compose(root)).toEqual({ code: 0, said: '' });
  }, 60_000);
});

describe('docs/errors.md', () => {
  it('lists the codes as they are', async () => {
    expect(await run('write-errors.mjs', '--check')).toEqual({ code: 0, said: '' });
  });
});
