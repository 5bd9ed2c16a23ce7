import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { samplePdf } from '@postmaster/testing';
import { type Client, clientOf, follow } from './client.js';
import { type ServerProcess, startServer, temporaryFolder } from './server-process.js';

const folder = temporaryFolder();
const place = join(folder.path, 'watched', 'notes');
let server: ServerProcess;
let client: Client;

const SENTENCE = 'The lighthouse keeper Sidsel Brahe counted 738 ships in the autumn of 1883.';
const PRINTED = 'The harbour of Marstal was opened in 1825 after four years of work on its long mole.';

/** Written long ago, so that nobody waits for it to be finished. */
const write = (name: string, content: string | Uint8Array, at = Date.now() - 60_000): void => {
  writeFileSync(join(place, name), content);
  utimesSync(join(place, name), new Date(at), new Date(at));
};

beforeAll(async () => {
  mkdirSync(place, { recursive: true });
  write('keeper.md', `# The keeper of the light\n\n${SENTENCE} She wrote all of them down in a blue book.\n`);
  write('harbour.pdf', samplePdf([[PRINTED]]));
  server = await startServer(folder.path, { FOLDER_ROOTS: join(place, '..'), FOLDER_RESCAN_SECONDS: '1' });
  client = clientOf(server, server.key);
});
afterAll(async () => {
  await server.end();
  folder.remove();
});

interface Found {
  hits: {
    paragraph: { text: string | null; trail: string[]; document: { name: string } | null };
    highlights: object[];
  }[];
  notices: { code: string }[];
}
const search = async (query: string): Promise<Found> =>
  (
    await client.ask<{ search: Found }>(
      `query($query: String!) { search(query: $query) {
        hits { paragraph { text trail document { name: title } } highlights { start } } notices { code } } }`,
      { query },
    )
  ).search;

interface Listed {
  id: string;
  title: string;
  version: number;
  goneAt: string | null;
  degraded: { code: string }[];
}
const documents = async (): Promise<Map<string, Listed>> => {
  const { documents } = await client.ask<{ documents: { nodes: Listed[] } }>(
    '{ documents { nodes { id title version goneAt degraded { code } } } }',
  );
  return new Map(documents.nodes.map((one) => [one.title, one]));
};
const eventually = async <T>(look: () => Promise<T | undefined>): Promise<T> => {
  for (const end = Date.now() + 30_000; Date.now() < end;) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('It did not come.');
};
const bytesOf = async (path: string, init: RequestInit = {}): Promise<{ status: number; body: string }> => {
  const response = await client.get(`/api/v1/${path}`, init);
  return { status: response.status, body: await response.text() };
};
/** Every file of what the server keeps that has these words. */
const holding = (words: string, within = server.kept): string[] =>
  readdirSync(within, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => bytesAt(path).includes(words));
/** None of a file that has gone meanwhile, as a store's journal does. */
const bytesAt = (path: string): Buffer => {
  try {
    return readFileSync(path);
  } catch {
    return Buffer.of();
  }
};

it('refuses a folder that the operator does not allow', async () => {
  const body = JSON.stringify({ path: '/etc' });
  const refused = await bytesOf('folders', { method: 'POST', body, headers: { 'content-type': 'application/json' } });
  expect([refused.status, JSON.parse(refused.body)]).toMatchObject([422, { code: 'FOLDER_REFUSED' }]);
});

it('finds in a folder in reference mode, whose texts are nowhere but in its files', async () => {
  const body = JSON.stringify({ path: place, mode: 'REFERENCE', watch: true, collection: 'archive' });
  const added = await bytesOf('folders', { method: 'POST', body, headers: { 'content-type': 'application/json' } });
  expect(added.status).toBe(202);
  const found = await eventually(async () => ((await documents()).size === 2 ? documents() : undefined));
  for (const { id } of found.values()) expect((await follow(client, id)).status).toBe('READY');

  const { hits, notices } = await search('How many ships did the lighthouse keeper count?');
  expect(hits[0]?.paragraph).toMatchObject({
    text: expect.stringContaining(SENTENCE),
    trail: ['The keeper of the light'],
  });
  expect(hits[0]?.highlights.length).toBeGreaterThan(0);
  expect(notices).toEqual([]);
  expect((await search('When was the harbour of Marstal opened?')).hits[0]?.paragraph.text).toContain(PRINTED);
  const { ask } = await client.ask<{ ask: { found: boolean; citations: { quote: string | null }[] } }>(
    '{ ask(query: "How many ships did the keeper count in 1883?") { found citations { quote } } }',
  );
  expect(ask).toMatchObject({ found: true, citations: [{ quote: SENTENCE }] });

  const id = found.get('keeper.md')?.id ?? '';
  expect((await bytesOf(`documents/${id}/text`)).body).toContain(SENTENCE);
  expect((await bytesOf(`documents/${id}/original`)).body).toBe(readFileSync(join(place, 'keeper.md'), 'utf8'));
  expect((await bytesOf(`documents/${id}/original`, { headers: { range: 'bytes=2-11' } })).body).toBe('The keeper');
});

it('takes in a change as a new version', async () => {
  write(
    'keeper.md',
    '# The keeper\n\nHer successor Anders Krag counted no ships at all, but wrote down every storm.\n',
    Date.now() - 50_000,
  );
  await eventually(async () => ((await documents()).get('keeper.md')?.version === 2 ? true : undefined));
  await follow(client, (await documents()).get('keeper.md')?.id ?? '');
  const { hits } = await search('Who wrote down every storm?');
  expect(hits[0]?.paragraph.text).toContain('Anders Krag');
  expect(
    (await search('How many ships did Sidsel Brahe count?')).hits.map(({ paragraph }) => paragraph.text),
  ).not.toContain(expect.stringContaining('Brahe'));
});

it('says of what is gone that it is, and goes on finding it by what is left', async () => {
  renameSync(join(place, 'keeper.md'), join(folder.path, 'aside.md'));
  const { hits, notices } = await search('Who wrote down every storm?');
  expect(hits.some(({ paragraph }) => paragraph.document?.name === 'keeper.md')).toBe(true);
  expect(notices.map(({ code }) => code)).toContain('SOURCE_GONE');
  const gone = await eventually(async () => {
    const one = (await documents()).get('keeper.md');
    return one?.goneAt ? one : undefined;
  });
  expect(gone.degraded).toMatchObject([{ code: 'SOURCE_GONE' }]);
  expect(await bytesOf(`documents/${gone.id}/text`)).toMatchObject({ status: 410 });
});

it('is read once with its bytes where nothing else is said, and goes with its documents', async () => {
  const once = join(place, '..', 'once');
  mkdirSync(once);
  writeFileSync(join(once, 'toll.md'), 'The toll keeper of Kerteminde took two marks for every cart of eels.\n');
  utimesSync(join(once, 'toll.md'), new Date(Date.now() - 60_000), new Date(Date.now() - 60_000));
  const headers = { 'content-type': 'application/json' };
  const added = await bytesOf('folders', { method: 'POST', body: JSON.stringify({ path: once }), headers });
  const { id } = JSON.parse(added.body) as { id: string };
  const toll = await eventually(async () => (await documents()).get('toll.md'));
  expect((await follow(client, toll.id)).status).toBe('READY');
  rmSync(join(once, 'toll.md'));
  expect((await bytesOf(`documents/${toll.id}/original`)).body).toContain('two marks');
  expect((await search('What did the toll keeper of Kerteminde take?')).hits[0]?.paragraph.text).toContain('eels');
  expect((await bytesOf(`folders/${id}`, { method: 'DELETE' })).status).toBe(202);
  await eventually(async () => ((await documents()).has('toll.md') ? undefined : true));
});

it('has stored nothing of the content by then', async () => {
  await server.end(); // and with that all that was in memory on its way to the disk
  for (const words of [SENTENCE, PRINTED, 'Anders Krag counted no ships', 'sidsel brahe counted'])
    expect([words, holding(words)]).toEqual([words, []]);
  expect(holding('keeper.md').length).toBeGreaterThan(0); // what is sought in can be found in
  rmSync(place, { recursive: true });
});
