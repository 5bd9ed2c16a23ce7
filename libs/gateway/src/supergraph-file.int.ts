import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ask, eventsOf } from '../test/ask.js';
import { KEYS, StandInServices } from '../test/stand-in-services.js';
import { readSupergraph } from './graph/federated-graph.js';
import type { Gateway } from './index.js';

const built = readSupergraph();
const TOOK = /(^type SearchResult\b[^}]*?\n {2}tookMs: Float!)/m;
/** A field more, that retrieval would have to know. */
const newer = built.replace(TOOK, '$1\n  motto: String');
/** Whole, but without a field that REST asks for. */
const lacking = built.replace(TOOK, (field) => field.replace('tookMs', 'tookSeconds'));

let folder: string;
let path: string;
let services: StandInServices;
let gateway: Gateway;
let url: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postmaster-supergraph-'));
  path = join(folder, 'supergraph.graphql');
  await writeFile(path, built);
  services = new StandInServices();
  gateway = await services.start({ supergraphPath: path, supergraphPollMs: 20 });
  url = await gateway.listen();
});
afterEach(async () => {
  await gateway.close();
  await rm(folder, { recursive: true });
});

const fields = async () => {
  const { body } = await ask(url, '{ __type(name: "SearchResult") { fields { name } } }');
  return (body.data as { __type: { fields: { name: string }[] } }).__type.fields.map(({ name }) => name);
};
const until = async (holds: () => boolean | Promise<boolean>) => {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
};
const logged = (text: string) => services.lines.some((line) => line.includes(text));

describe('the supergraph file', () => {
  it('is taken over when it changes, without a restart', async () => {
    expect(newer).not.toBe(built);
    expect(await fields()).not.toContain('motto');
    await writeFile(path, newer);
    await until(async () => (await fields()).includes('motto'));
    expect((await ask(url, '{ search(query: "When?") { tookMs } }')).body).toEqual({ data: { search: { tookMs: 1 } } });
    await writeFile(path, built);
    await until(async () => !(await fields()).includes('motto'));
  });

  it('is followed through a link that is swapped, as a mounted configuration is', async () => {
    const version = async (name: string, text: string) => {
      await mkdir(join(folder, name));
      await writeFile(join(folder, name, 'supergraph.graphql'), text);
      await symlink(name, join(folder, 'next'));
      await rename(join(folder, 'next'), join(folder, 'present'));
    };
    await version('first', built);
    const linked = await services.start({
      ...{ supergraphPath: join(folder, 'present', 'supergraph.graphql'), supergraphPollMs: 20 },
    });
    await gateway.close();
    [gateway, url] = [linked, await linked.listen()];
    await version('second', newer);
    await until(async () => (await fields()).includes('motto'));
  });

  it.each([
    ['broken', built.slice(0, built.length / 2)],
    ['no supergraph', 'type Query { hello: String }'],
    ['empty', ''],
    ['without what REST asks for', lacking],
  ])('changes nothing when it is %s, and the log says so once', async (_what, text) => {
    expect(text).not.toBe(built);
    await writeFile(path, text);
    await until(() => logged('the supergraph file was refused'));
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(services.lines.filter((line) => line.includes('the supergraph file was refused'))).toHaveLength(1);
    expect(await fields()).toContain('tookMs');
    const rest = await fetch(`${url}/api/v1/search?query=When`, { headers: { 'x-api-key': KEYS.acme } });
    expect(rest.status).toBe(200);
    await writeFile(path, newer);
    await until(async () => (await fields()).includes('motto'));
  });

  it('changes nothing when it goes away', async () => {
    await rm(path);
    await until(() => logged('can not be read'));
    expect((await ask(url, '{ search(query: "When?") { tookMs } }')).body).toEqual({ data: { search: { tookMs: 1 } } });
  });

  it('must be there and right at the start', async () => {
    const missing = services.start({ supergraphPath: join(folder, 'nothing') });
    await expect(missing).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining('nothing'),
    });
    await writeFile(path, lacking);
    await expect(services.start({ supergraphPath: path })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining('tookMs'),
    });
  });

  it('fails no request while it is replaced, neither running ones nor new ones', async () => {
    services.files.set('slow', {
      ...{ tenant: 'acme', name: 'Plan', bytes: Buffer.from(''), fields: {}, version: 1, status: 'READY' },
    });
    let versions = 0;
    const replacing = (async () => {
      for (let n = 0; n < 4; n += 1) {
        const text = n % 2 === 0 ? newer : built;
        await writeFile(path, text);
        await until(async () => (await fields()).includes('motto') === (text === newer));
        versions += 1;
      }
    })();
    const answers: unknown[] = [];
    for (let round = 0; round < 10; round += 1) {
      const sent = Array.from({ length: 20 }, (_, n) =>
        n % 4 === 0
          ? ask(url, '{ document(id: "slow") { id title } }')
          : n % 4 === 1
            ? fetch(`${url}/api/v1/search?query=When`, { headers: { 'x-api-key': KEYS.acme } }).then(
                async (response) => ({
                  body: { data: ((await response.json()) as { paragraphs: unknown }).paragraphs },
                }),
              )
            : ask(url, '{ search(query: "When?") { hits { score paragraph { text } } } }'),
      );
      for (const { body } of await Promise.all(sent)) answers.push(body);
    }
    await replacing;
    expect([answers.length, versions]).toEqual([200, 4]);
    for (const body of answers) expect(body).toEqual({ data: expect.anything() });
  });

  it('is what open streams go on with', async () => {
    services.files.set('d1', {
      ...{ tenant: 'acme', name: 'Plan', bytes: Buffer.from(''), fields: {}, version: 1, status: 'PARSED' },
    });
    const events = eventsOf(await fetch(`${url}/api/v1/documents/d1/events`, { headers: { 'x-api-key': KEYS.acme } }));
    expect((await events.next()).value?.data).toMatchObject({ status: 'PARSED' });
    await writeFile(path, newer);
    await until(() => logged('the supergraph was replaced'));
    services.change('d1', 'READY');
    expect((await events.next()).value?.data).toMatchObject({ status: 'READY' });
    await events.return(undefined);
  });
});
