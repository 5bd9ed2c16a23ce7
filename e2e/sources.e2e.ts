import { createHmac } from 'node:crypto';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '@postmaster/cli';
import { type Client, clientOf, follow } from './client.js';
import { joinServer } from './joined-server.js';
import { formOf } from './partner-requests.js';
import { type ServerProcess, temporaryFolder } from './server-process.js';

const SECRET = 'the secret of the webhook';
const folder = temporaryFolder();
const place = join(folder.path, 'shelf');
let server: ServerProcess;
let client: Client;
let site: Server;
let page: string;

/** What every way in takes. */
const GIVEN = {
  ...{ sourceType: 'shelf', sourceUri: 'https://example.org/shelf/7', title: 'Of the shelf' },
  ...{ collection: 'shelf', createdAt: '1999-02-03T00:00:00.000Z' },
};
const METADATA = { shelf: 7, lent: false };
const TEXT = 'The shelf of the lighthouse holds seven logbooks.';
/** A form's fields are texts. */
const fieldsOf = (sourceId: string) => ({ ...GIVEN, sourceId, metadata: JSON.stringify(METADATA) });

const posted = async (path: string, body: FormData, headers: Record<string, string> = {}): Promise<string> => {
  const response = await client.get(path, { method: 'POST', body, headers });
  const answer = (await response.json()) as { id: string };
  expect([response.status, answer]).toEqual([202, expect.anything()]);
  return answer.id;
};
const mutated = async (mutation: 'ingestText' | 'ingestUrl', given: object): Promise<string> => {
  const type = mutation === 'ingestText' ? 'IngestTextInput' : 'IngestUrlInput';
  const { made } = await client.ask<{ made: { document: { id: string } } }>(
    `mutation($input: ${type}!) { made: ${mutation}(input: $input) {
      ... on Ingested { document { id } } ... on Refused { code message } } }`,
    { input: { ...GIVEN, metadata: METADATA, ...given } },
  );
  return made.document.id;
};
const signed = async (form: FormData): Promise<{ body: Buffer; headers: Record<string, string> }> => {
  const made = new Response(form);
  const body = Buffer.from(await made.arrayBuffer());
  const seconds = Math.floor(Date.now() / 1000);
  const hash = createHmac('sha256', SECRET).update(`${seconds}.`).update(body).digest('hex');
  return {
    body,
    headers: {
      'content-type': made.headers.get('content-type') ?? '',
      'x-postmaster-signature': `t=${seconds},v1=${hash}`,
    },
  };
};
const listed = async (query: string): Promise<Record<string, unknown>[]> =>
  ((await (await client.get(`/api/v1/documents?${query}`)).json()) as { documents: Record<string, unknown>[] })
    .documents;
const until = async <T>(look: () => Promise<T | undefined>): Promise<T> => {
  for (const end = Date.now() + 60_000; Date.now() < end;) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('It did not come.');
};
/** The command line, as a program that calls it has it. */
const postmaster = async (...args: string[]): Promise<unknown> => {
  const out: Buffer[] = [];
  const env = { POSTMASTER_URL: server.url, POSTMASTER_API_KEY: server.key };
  const code = await runCli(
    [...args, '--json'],
    {
      ...{ env, home: folder.path, cwd: folder.path, stdin: new PassThrough() },
      stdout: new Writable({ write: (chunk: Buffer, _, next) => (out.push(chunk), next()) }),
      stderr: new Writable({ write: (_, __, next) => next() }),
      ...{ now: () => performance.now(), signal: new AbortController().signal },
    },
    'test',
  );
  const said = Buffer.concat(out).toString();
  expect({ code, said }).toMatchObject({ code: 0 });
  return JSON.parse(said);
};

beforeAll(async () => {
  mkdirSync(place);
  site = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end(`<title>Logbooks</title><p>${TEXT}</p>`),
  );
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  page = `http://127.0.0.1:${(site.address() as AddressInfo).port}/logbooks`; // it listens on TCP
  server = await joinServer(folder.path, {
    ...{ ENCODER_THREADS: '1', FOLDER_ROOTS: folder.path, MAIL_WEBHOOK_SECRET: SECRET },
    ALLOWED_PRIVATE_HOSTS: '127.0.0.1',
  });
  client = clientOf(server, server.key);
}, 120_000);
afterAll(async () => {
  await server?.end();
  site.close();
  folder.remove();
});

describe('what is given with a document', () => {
  const file = { name: 'log.md', text: TEXT };
  it.each<[way: string, send: (sourceId: string) => Promise<string>]>([
    ['an upload', (id) => posted('/api/v1/documents', formOf(fieldsOf(id), file))],
    ['a text', (id) => mutated('ingestText', { text: TEXT, sourceId: id })],
    ['an address', (id) => mutated('ingestUrl', { url: page, sourceId: id })],
    ['a partner’s file', (id) => posted('/api/v1/ingest', formOf({ ...fieldsOf(id), tenant_id: server.tenant }, file))],
    [
      'a partner’s address',
      (id) => posted('/api/v1/ingest', formOf({ ...fieldsOf(id), tenant_id: server.tenant, document: page })),
    ],
    [
      'a partner’s upload',
      (id) => posted('/documents/upload', formOf({ ...GIVEN, sourceId: id, metadata: JSON.stringify(METADATA) }, file)),
    ],
  ])('comes back, and is filtered by, by %s', async (way, send) => {
    const id = await send(way);
    expect(await follow(client, id)).toMatchObject({ status: 'READY' });
    expect(await (await client.get(`/api/v1/documents/${id}`)).json()).toMatchObject({
      ...GIVEN,
      sourceId: way,
      metadata: METADATA,
    });
    const { search } = await client.ask<{ search: { hits: { paragraph: { document: { id: string } } }[] } }>(
      `query($documents: [ID!]) { search(query: "What does the shelf hold?", filter: {
        documents: $documents, collections: ["shelf"], sourceTypes: ["shelf"], createdTo: "1999-12-31T00:00:00Z",
        metadata: [{ key: "shelf", value: 7 }] }) { hits { paragraph { document { id } } } } }`,
      { documents: [id] },
    );
    expect(search.hits.map(({ paragraph }) => paragraph.document.id)).toEqual([id]);
  });

  it('comes with a mail too, whose kind and identity are its own', async () => {
    const mail = `Message-ID: <shelf@example.org>\r\nSubject: x\r\n\r\n${TEXT}`;
    const { body, headers } = await signed(formOf(fieldsOf('ignored'), { name: 'mail.eml', text: mail }));
    const response = await client.get('/api/v1/mail', { method: 'POST', body: new Uint8Array(body), headers });
    expect(response.status).toBe(202);
    const { id } = (await response.json()) as { id: string };
    expect(await follow(client, id)).toMatchObject({ status: 'READY' });
    expect(await (await client.get(`/api/v1/documents/${id}`)).json()).toMatchObject({
      ...GIVEN,
      ...{ sourceType: 'mail', sourceId: '<shelf@example.org>', metadata: METADATA },
    });
  });

  it('holds for each file of a folder', async () => {
    const path = join(place, 'inventory.md');
    writeFileSync(path, 'The inventory names a barometer of brass.');
    utimesSync(path, new Date(Date.now() - 60_000), new Date(Date.now() - 60_000));
    const added = await client.get('/api/v1/folders', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ path: place, collection: 'inventory', metadata: METADATA }),
    });
    expect(await added.json()).toMatchObject({ collection: 'inventory', metadata: METADATA });
    const found = await until(async () => (await listed('collection=inventory'))[0]);
    expect(await follow(client, String(found.id))).toMatchObject({ status: 'READY' });
    expect(found).toMatchObject({ sourceType: 'file', sourceId: path, metadata: METADATA });
  });
});

it('an upload takes many files at once, and says of each what became of it', async () => {
  const form = new FormData();
  form.append('collection', 'many');
  for (let i = 0; i < 12; i++)
    form.append('file', new Blob([i === 5 ? '' : `Buoy ${i} is painted red.`]), `buoy-${i}.md`);
  const response = await client.get('/api/v1/documents', { method: 'POST', body: form });
  expect(response.status).toBe(202);
  const { documents } = (await response.json()) as { documents: { name: string; id?: string; failure?: object }[] };
  expect(documents.map(({ name }) => name)).toEqual(Array.from({ length: 12 }, (_, i) => `buoy-${i}.md`));
  expect(documents.filter(({ failure }) => failure)).toMatchObject([
    { name: 'buoy-5.md', failure: { code: 'EMPTY_FILE' } },
  ]);
  for (const { id } of documents) if (id) expect(await follow(client, id)).toMatchObject({ status: 'READY' });
  expect(await listed('collection=many')).toHaveLength(11);
});

it('the command line takes mailboxes, files, patterns and addresses, and no work is done twice', async () => {
  const mailbox = ['One of the buoys drifted.', 'Two of the buoys drifted.'].map(
    (text, i) =>
      `From a@example.org Tue Feb  3 10:02:11 2026\nMessage-ID: <m${i}@example.org>\nSubject: Buoys\n\n${text}\n\n`,
  );
  writeFileSync(join(folder.path, 'in.mbox'), mailbox.join(''));
  for (const part of ['cur', 'new', 'tmp']) mkdirSync(join(folder.path, 'Maildir', part), { recursive: true });
  writeFileSync(
    join(folder.path, 'Maildir', 'cur', '1.host:2,S'),
    'Message-ID: <m9@example.org>\nSubject: Chains\n\nThe chains rusted.\n',
  );
  writeFileSync(join(folder.path, 'chart-1.txt'), 'The chart shows two wrecks.');
  const ingest = () =>
    postmaster(
      'ingest',
      'in.mbox',
      'Maildir',
      'chart-*.txt',
      page,
      '-c',
      'by-hand',
      '-m',
      'shelf=7',
      '-m',
      'lent=false',
    );
  expect(await ingest()).toMatchObject({ totals: { added: 5, unchanged: 0, failed: 0 } });
  const all = await listed('collection=by-hand');
  const told = all.map(
    ({ title, sourceType, status, metadata }) => [String(title), sourceType, status, metadata] as const,
  );
  expect(told.toSorted(([a], [b]) => a.localeCompare(b, 'en'))).toEqual([
    ['Buoys', 'mail', 'READY', expect.objectContaining(METADATA)],
    ['Buoys', 'mail', 'READY', expect.objectContaining(METADATA)],
    ['Chains', 'mail', 'READY', expect.objectContaining(METADATA)],
    ['chart-1.txt', 'file', 'READY', expect.objectContaining(METADATA)],
    ['Logbooks', 'url', 'READY', expect.objectContaining(METADATA)],
  ]);
  expect(await ingest()).toMatchObject({ totals: { added: 0, unchanged: 5, failed: 0 } });
});
