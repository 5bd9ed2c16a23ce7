import { tmpdir } from 'node:os';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deadLetterServices, OTHER } from '../../../../libs/gateway/test/dead-letter-services.js';
import { ADMIN_KEY, KEYS } from '../../../../libs/gateway/test/stand-in-services.js';
import { runIn, type Ran } from '../../test/run-in.js';

const services = await deadLetterServices();
const gateway = await services.start();
let url: string;
beforeAll(async () => {
  url = await gateway.listen();
});
afterAll(async () => {
  await gateway.close();
  await services.close();
});
beforeEach(() => services.forget());

const run = (args: string[], key: string = KEYS.acme): Promise<Ran> =>
  runIn(['deadletters', ...args], { home: tmpdir(), env: { POSTMASTER_URL: url, POSTMASTER_API_KEY: key } });
const addresses = async (): Promise<string[]> => {
  const { stdout } = await run(['list', '--json'], ADMIN_KEY);
  const { deadLetters } = JSON.parse(stdout) as { deadLetters: { service: string; id: string }[] };
  return deadLetters.map(({ service, id }) => `${service}/${id}`);
};

describe('deadletters list', () => {
  it('is a table of the newest, with the page that tells what to do', async () => {
    await services.bury('ingestion', 'd1');
    await services.bury('embedding', 'd2');
    const [newest, oldest] = await addresses();
    const ran = await run(['list']);
    const [header, ...lines] = ran.stdout.trimEnd().split('\n');
    expect(header?.split(/ {2,}/)).toEqual(['ID', 'WHAT', 'WHY', 'BURIED', 'DOCUMENT']);
    expect(lines).toEqual([
      expect.stringMatching(new RegExp(`^${newest} +event embedding\\.consumer +INTERNAL +\\S+ \\S+ +d2$`)),
      expect.stringMatching(new RegExp(`^${oldest} +event ingestion\\.consumer +INTERNAL +\\S+ \\S+ +d1$`)),
    ]);
    expect(ran.stderr).toContain('docs/runbooks/DeadLettersGrowing.md');
    expect(ran.exitCode).toBe(0);
  });

  it('goes on after a page, and is narrowed to a service', async () => {
    for (const document of ['d1', 'd2', 'd3']) await services.bury('ingestion', document);
    const first = await run(['list', '--limit', '2']);
    const after = /--after (\S+)/.exec(first.stderr)?.[1] ?? '';
    expect((await run(['list', '--limit', '2', '--after', after])).stdout).toMatch(/ d1\n$/);
    expect((await run(['list', '--service', 'embedding'])).stdout).toBe('');
    expect((await run(['list', '--service', 'gateway'])).exitCode).toBe(2);
  });

  it('names tenants for the operator, and a service that does not answer for everybody', async () => {
    await services.bury('ingestion', 'd1');
    await services.bury('ingestion', 'd2', OTHER);
    await services.buryMessage('enrichment');
    expect((await run(['list'], ADMIN_KEY)).stdout).toMatch(/TENANT.*\n.* - .*\n.* other .*\n.* acme /);
    services.fate.absent = 'enrichment';
    const ran = await run(['list']);
    expect([ran.exitCode, ran.stderr]).toEqual([0, expect.stringContaining('SERVICE_UNAVAILABLE')]);
    expect(ran.stdout).toContain('d1');
  });

  it('ends with 4 for a key that may not', async () => {
    expect((await run(['list'], KEYS.reader)).exitCode).toBe(4);
    expect((await run(['list'], 'nobody')).exitCode).toBe(4);
  });
});

describe('deadletters show', () => {
  it('shows one with its event', async () => {
    await services.bury('embedding', 'd2');
    const [address = ''] = await addresses();
    const { stdout, exitCode } = await run(['show', address]);
    expect(stdout).toContain('INTERNAL: It broke.');
    expect(stdout).toContain('after 1 try');
    expect(stdout).toContain('"document": "d2"');
    expect(exitCode).toBe(0);
    const json: unknown = JSON.parse((await run(['show', address, '--json'])).stdout);
    expect(json).toMatchObject({ payload: { data: { document: 'd2' } } });
  });

  it('says that there is none, or that the id is no such id', async () => {
    const nobody = 'embedding/0197a4c2-5c7e-7d0a-b6a0-3f1d5c0e9a11';
    expect(await run(['show', nobody])).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('NOT_FOUND') });
    expect(await run(['show', 'd2'])).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('WRONG_USAGE') });
  });
});

describe('deadletters retry', () => {
  it('sends those again that are named, and no others', async () => {
    await services.bury('ingestion', 'd1');
    await services.bury('embedding', 'd2');
    const [address = '', other] = await addresses();
    expect(await run(['retry', address])).toMatchObject({ exitCode: 0, stdout: '1 dead letter sent again\n' });
    expect(services.handled).toEqual(['embedding d2']);
    expect(await addresses()).toEqual([other]);
  });

  it('sends all again that the filter leaves', async () => {
    for (const service of ['ingestion', 'enrichment', 'embedding'] as const) await services.bury(service, service);
    expect((await run(['retry', '--all', '--service', 'enrichment'])).stdout).toBe('1 dead letter sent again\n');
    expect((await run(['retry', '--all'])).stdout).toBe('2 dead letters sent again\n');
    expect(services.handled.sort()).toEqual(['embedding embedding', 'enrichment enrichment', 'ingestion ingestion']);
    expect((await run(['list'])).stderr).toContain('nothing was given up');
  });

  it('tells which stay and why, and ends with 1', async () => {
    await services.bury('ingestion', 'd1');
    const [address] = await addresses();
    services.fate.refusing = true;
    const ran = await run(['retry', '--all']);
    expect(ran.stdout).toContain(`✗ ${address}\n  INTERNAL: Something unexpected went wrong.\n  → `);
    expect(ran.stdout).toContain('0 dead letters sent again, 1 stay\n');
    expect(ran.exitCode).toBe(1);
  });

  it('wants to be told which: ids, or --all', async () => {
    for (const args of [[], ['--service', 'embedding'], ['nothing'], ['--all', 'embedding/x']])
      expect((await run(['retry', ...args])).exitCode).toBe(2);
  });
});

describe('deadletters drop', () => {
  it('drops with --yes only, where nobody can be asked', async () => {
    await services.buryMessage('embedding');
    const [address = ''] = await addresses();
    const refused = await run(['retry', address], ADMIN_KEY);
    expect([refused.exitCode, refused.stdout]).toEqual([1, expect.stringContaining('postmaster deadletters drop')]);
    expect((await run(['drop', address], ADMIN_KEY)).exitCode).toBe(2);
    expect(await addresses()).toEqual([address]);
    expect((await run(['drop', address, '--yes'])).stdout).toContain(`There is no dead letter ${address}.`); // of another key
    expect(await run(['drop', address, '--yes'], ADMIN_KEY)).toMatchObject({
      ...{ exitCode: 0, stdout: '1 dead letter dropped\n' },
    });
    expect(await addresses()).toEqual([]);
  });
});
