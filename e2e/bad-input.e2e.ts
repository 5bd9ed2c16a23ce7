import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CODES, type ErrorCode } from '@postmaster/contracts';
import { encryptedPdf, sampleDocx, scannedPdf, truncated } from '@postmaster/testing';
import { type Client, clientOf, follow, type Problem } from './client.js';
import { type ServerProcess, startServer, temporaryFolder } from './server-process.js';

const LIMIT = 2 * 1024 * 1024;
const folder = temporaryFolder();
let server: ServerProcess;
let client: Client;
let beside: string;

describe('bad input', () => {
  beforeAll(async () => {
    server = await startServer(folder.path, { ENCODER_THREADS: '1', MAX_DOCUMENT_BYTES: String(LIMIT) });
    client = clientOf(server, server.key);
    beside = String((await client.upload('beside.md', 'A good document stands beside the bad ones.')).body.id);
  }, 60_000);
  afterAll(async () => {
    await server.end();
    folder.remove();
  });

  const REFUSED: [string, string, () => Uint8Array | string, number, ErrorCode][] = [
    ['an empty file', 'empty.md', () => '', 422, 'EMPTY_FILE'],
    ['a file above the limit', 'big.txt', () => new Uint8Array(LIMIT + 1).fill(97), 413, 'TOO_LARGE'],
  ];
  it.each(REFUSED)('%s is refused at once', async (_what, name, bytes, status, code) => {
    const answer = await client.upload(name, bytes());
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ code, next: expect.stringMatching(/./) });
  });

  const FAILING: [string, string, () => Uint8Array | string, ErrorCode[]][] = [
    ['zeros named .pdf', 'zeros.pdf', () => new Uint8Array(4096), ['UNKNOWN_TYPE', 'DOCUMENT_BROKEN']],
    ['a PDF with a password', 'locked.pdf', () => encryptedPdf(), ['PASSWORD_NEEDED']],
    [
      'a truncated DOCX',
      'cut.docx',
      () => truncated(sampleDocx(['A text that is cut off in the middle.'])),
      ['DOCUMENT_BROKEN'],
    ],
    ['a scan without text', 'scan.pdf', () => scannedPdf(), ['NO_TEXT']],
    ['a picture cut off', 'cut.png', () => Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), ['DOCUMENT_BROKEN']],
    ['an unknown type', 'tune.flac', () => Buffer.from('664c614300000022', 'hex'), ['UNKNOWN_TYPE']],
  ];
  it.each(FAILING)(
    '%s says on the document why it failed, and can be tried again',
    async (_what, name, bytes, codes) => {
      const { status, body } = await client.upload(name, bytes());
      expect(status).toBe(202);
      const id = String(body.id);
      const { failure } = await follow(client, id, ['FAILED']);
      expect(codes).toContain(failure?.code);
      expect(failure?.message).toMatch(/./);
      expect(failure?.next).toMatch(/./);
      const { retryDocuments } = await client.ask<{ retryDocuments: { total: number } }>(
        `mutation($ids: [ID!]) { retryDocuments(filter: { ids: $ids }) { ... on Job { total } } }`,
        { ids: [id] },
      );
      expect(retryDocuments.total).toBe(1);
      await follow(client, id, ['FAILED']);
    },
  );

  it('a name that is made to mislead shows what it is', async () => {
    const { body } = await client.upload('bill\u202efdp.exe', 'A text under a false name.');
    expect(await follow(client, String(body.id))).toMatchObject({ status: 'READY' });
    const { document } = await client.ask<{ document: { title: string } }>(
      `query($id: ID!) { document(id: $id) { title } }`,
      { id: body.id },
    );
    expect(document.title).toBe('billfdp.exe');
  });

  it.each([
    '/api/v1/documents?sourceId=%00',
    '/api/v1/documents?titleContains=%00',
    '/api/v1/documents/%00',
    '/api/v1/search?query=ferry%00&collection=%00',
  ])('a zero is found nowhere, and harms nothing: %s', async (path) => {
    expect((await client.get(path)).status).toBeLessThan(500);
  });

  it.each([
    ['sourceId', 'a\0b'],
    ['metadata', '{"note":"a\\u0000b"}'],
  ])('a %s with a zero is refused at once', async (field, value) => {
    const { status, body } = await client.upload('zero.txt', 'A text.', { [field]: value });
    expect([status, body['code'], body['field']]).toEqual([400, 'INPUT_INVALID', field]);
  });

  it('bytes that are no UTF-8 are read by the best guess', async () => {
    const { body } = await client.upload(
      'latin.txt',
      Buffer.from('Bl\xe5b\xe6rgr\xf8d med fl\xf8de er en dansk ret, som mange holder af om sommeren.', 'latin1'),
    );
    const { status } = await follow(client, String(body.id));
    expect(status).toBe('READY');
    expect(await (await client.get(`/api/v1/documents/${String(body.id)}/text`)).text()).toContain(
      'Blåbærgrød med fløde',
    );
  });

  const QUESTIONS: [string, string, ErrorCode][] = [
    ['an empty question', ' \n ', 'QUERY_EMPTY'],
    ['a question of signs alone', '?!', 'QUERY_EMPTY'],
    ['a question of 100,000 characters', 'why '.repeat(25_000), 'QUERY_TOO_LONG'],
  ];
  it.each(QUESTIONS)('%s is refused', async (_what, query, code) => {
    const { errors } = await client.graphql(`query($query: String!) { search(query: $query) { hits { score } } }`, {
      query,
    });
    expect(errors?.[0]?.extensions).toMatchObject({ code, next: CODES[code].next });
  });

  it('an unknown filter value is named', async () => {
    const response = await client.get('/api/v1/search?query=x&nonsense=1');
    expect(response.status).toBe(400);
    expect((await response.json()) as Problem).toMatchObject({ code: 'INPUT_INVALID' });
  });

  it.each([
    ['no key', {}, 'KEY_MISSING'],
    ['a wrong key', { authorization: 'Bearer pm_wrong' }, 'KEY_INVALID'],
  ])('%s is refused, at REST and in the graph', async (_what, headers, code) => {
    const rest = await fetch(`${server.url}/api/v1/documents`, { headers });
    expect(rest.status).toBe(401);
    expect(await rest.json()).toMatchObject({ code, next: expect.stringMatching(/./) });
    const graph = await fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{"query":"{ documents { totalCount } }"}',
    });
    expect(await graph.text()).toContain(code);
  });

  it('a revoked key is refused from then on', async () => {
    const { createKey } = await client.ask<{ createKey: { secret: string; key: { id: string } } }>(
      `mutation { createKey(input: { name: "short-lived" }) { ... on NewKey { secret key { id } } } }`,
    );
    const guest = clientOf(server, createKey.secret);
    expect((await guest.get('/api/v1/documents')).status).toBe(200);
    await client.ask(`mutation($id: ID!) { revokeKey(id: $id) { ... on Key { revokedAt } } }`, {
      id: createKey.key.id,
    });
    const refused = await guest.get('/api/v1/documents');
    expect(refused.status).toBe(401);
    expect(await refused.json()).toMatchObject({ code: 'KEY_INVALID' });
  });

  it('the key for reading may not write', async () => {
    const { createKey } = await client.ask<{ createKey: { secret: string } }>(
      `mutation { createKey(input: { name: "reader" }) { ... on NewKey { secret } } }`,
    );
    const { status, body } = await clientOf(server, createKey.secret).upload('a.md', 'text');
    expect(status).toBe(403);
    expect(body).toMatchObject({ code: 'FORBIDDEN' });
  });

  it.each(['http://127.0.0.1:1/', 'http://localhost/', 'http://169.254.169.254/latest', 'file:///etc/passwd'])(
    'the address %s is refused',
    async (url) => {
      const { ingestUrl } = await client.ask<{ ingestUrl: { code: string; next: string } }>(
        `mutation($url: String!) { ingestUrl(input: { url: $url }) { ... on Refused { code next } } }`,
        { url },
      );
      expect(ingestUrl).toMatchObject({ code: 'URL_REFUSED', next: expect.stringMatching(/./) });
    },
  );

  it('leaves the document beside it READY', async () => {
    expect(await follow(client, beside)).toMatchObject({ status: 'READY' });
  });
});
