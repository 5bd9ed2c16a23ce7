import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CodedError, identitySeal, type Scope } from '@postmaster/contracts';
import { embeddingModule, embeddingTypeDefs } from '@postmaster/embedding/nest';
import { createLog, type RunningSubgraph, startSubgraph } from '@postmaster/service';
import { FakePointStore, idOf } from '@postmaster/testing';
import { graphql } from 'graphql';
import { closeWorlds, openWorld, servingIndex, type World } from '../../../../libs/embedding/test/repair-world.js';
import { type Ran, runIn } from '../../test/run-in.js';

const seal = identitySeal(new TextEncoder().encode('a secret of the right length, 32+'));
const log = createLog({
  ...{ name: 'test', level: 'fatal', pretty: false },
  to: new Writable({ write: (_, __, next) => next() }),
});

let world: World;
let store: FakePointStore;
let subgraph: RunningSubgraph;
let scopes: Scope[];

/** The embedding subgraph as the gateway gives it: one address, and the caller's identity of the key. */
const server = createServer((request, response) => {
  void (async () => {
    const { query, variables } = JSON.parse(await text(request)) as {
      query: string;
      variables: Record<string, unknown>;
    };
    const token = await seal.sign({ tenant: world.tenant, subject: 'key', scopes });
    const contextValue = await subgraph.context({ token, requestId: 'r' });
    const result = await graphql({ schema: subgraph.schema, source: query, variableValues: variables, contextValue });
    response.setHeader('content-type', 'application/json').end(JSON.stringify(result));
  })();
});
let url: string;

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP server's address is an object
});
beforeEach(async () => {
  scopes = ['read', 'admin'];
  store = new FakePointStore();
  world = openWorld(store);
  await world.fill({ d: ['One.', 'Two.', 'Three.'] });
  const module = embeddingModule(world.service.useCases);
  subgraph = await startSubgraph({ name: 'embedding', module, typeDefs: embeddingTypeDefs(), seal, log });
});
afterEach(async () => {
  await subgraph.close();
  await closeWorlds();
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

const run = (...args: string[]): Promise<Ran> =>
  runIn(args, { home: tmpdir(), env: { POSTMASTER_URL: url, POSTMASTER_API_KEY: 'key' } });
const lose = async (...texts: string[]) =>
  store.remove(
    world.tenant,
    await servingIndex(world.tenant),
    texts.map((one) => idOf('d', one)),
  );

describe('reconcile', () => {
  it('tells what differs and was mended', async () => {
    await lose('One.', 'Two.');
    const ran = await run('reconcile');
    expect(ran.stdout).toBe('3 paragraphs compared: 2 missing, 0 orphaned, 0 stale; 2 mended\n');
    expect(ran.exitCode).toBe(0);
    expect((await run('reconcile')).stdout).toBe('3 paragraphs compared: 0 missing, 0 orphaned, 0 stale\n');
  });

  it('changes nothing with --dry-run, and gives its counts as JSON', async () => {
    await lose('One.');
    const ran = await run('reconcile', '--dry-run', '--json');
    expect(JSON.parse(ran.stdout)).toMatchObject({ status: 'DONE', dryRun: true, looked: 3, missing: 1, mended: 0 });
    expect((await store.revisions(world.tenant, await servingIndex(world.tenant))).size).toBe(2);
    expect(ran.exitCode).toBe(0);
  });

  it('ends with 1 where something could not be mended', async () => {
    await lose('One.');
    world.before = () => {
      throw new Error('The store has a fault.');
    };
    const ran = await run('reconcile');
    expect(ran.stdout).toContain('1 missing, 0 orphaned, 0 stale; 0 mended, 1 left');
    expect(ran.exitCode).toBe(1);
  });

  it('says why it waits, and goes on', async () => {
    await lose('One.');
    world.encoder.failure = new CodedError('ENCODER_UNREACHABLE', 'It is out.');
    setTimeout(() => (world.encoder.failure = undefined), 1_500);
    const ran = await run('reconcile');
    expect(ran.stderr).toContain('ENCODER_UNREACHABLE: It is out. → ');
    expect(ran.stdout).toContain('1 missing, 0 orphaned, 0 stale; 1 mended');
  });

  it('is refused to a key without the scope admin, and says which it needs', async () => {
    scopes = ['read', 'write'];
    for (const command of ['reconcile', 'rebuild']) {
      const ran = await run(command, ...(command === 'rebuild' ? ['--yes'] : []));
      expect(ran.stderr).toContain('FORBIDDEN: This needs a key with the scope "admin".');
      expect(ran.exitCode).toBe(4);
    }
  });
});

describe('rebuild', () => {
  it('ends when the new index answers', async () => {
    const before = (await servingIndex(world.tenant)).name;
    const ran = await run('rebuild', '--yes');
    expect(ran.stdout).toBe(`3 paragraphs in the new index ${before}-r2, which answers now.\n`);
    expect([ran.exitCode, (await servingIndex(world.tenant)).name]).toEqual([0, `${before}-r2`]);
  });

  it('is agreed to beforehand where nobody can be asked, and else begins nothing', async () => {
    const ran = await run('rebuild');
    expect(ran.stderr).toContain('Every text is encoded again with fake:words-1; searches go on. Rebuild the index?');
    expect(ran.stderr).toContain('Add `--yes`');
    expect(ran.exitCode).toBe(2);
    expect(await world.service.useCases.upkeep.run(world.tenant, 'rebuild')).toBeNull();
  });
});
