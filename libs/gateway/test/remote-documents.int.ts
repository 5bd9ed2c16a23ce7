import { Agent, createServer, request, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { folderBlobs } from '@postmaster/blobs';
import { CodedError, identitySeal, newId, tenantProfile } from '@postmaster/contracts';
import { openMemoryDatabase } from '@postmaster/database';
import { type Database, databaseOf } from '@postmaster/durable';
import { INGESTION_SCHEMA, ingestionMigrations, ingestionService, type IngestionTables } from '@postmaster/ingestion';
import { folderFiles } from '@postmaster/parsers';
import { FakeParser, FakeRequests, untilSettled } from '@postmaster/testing';
import { documentBytes, uploads } from '../../../apps/standalone/src/gateway-ports.js';
import { remoteDocuments } from '../src/index.js';
import { callerOf, documentBytesContract, failureOf, newText, uploadOf } from './document-bytes-contract.js';
import { ingestionOverHttp, SEAL, storedIn } from './ingestion-over-http.js';

const maxBytes = 300_000;
const caller = callerOf('ours');
const ends: (() => Promise<unknown> | unknown)[] = [];
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

/** A real ingestion service over rows in memory and bytes in a folder. */
const newIngestion = async () => {
  const memory = await openMemoryDatabase([{ schema: INGESTION_SCHEMA, migrations: ingestionMigrations }]);
  const db = databaseOf<IngestionTables>(memory.kysely, INGESTION_SCHEMA);
  const folder = mkdtempSync(join(tmpdir(), 'postmaster-remote-'));
  const requests = new FakeRequests();
  const profile = { name: 'Test', paragraphWords: 20, longParagraphs: 'split' as const };
  requests.answer(tenantProfile, async () => ({ ...profile, tenant: caller.tenant }));
  const blobs = folderBlobs(folder);
  const service = ingestionService({
    ...{ db, blobs, requests, maxBytes, newId, now: () => new Date() },
    seal: { ...SEAL, sign: async ({ tenant }) => tenant }, // as FakeRequests takes it
    parser: new FakeParser(),
    files: folderFiles({ roots: [] }),
    fetchDocument: () => Promise.reject(new CodedError('URL_UNREACHABLE', 'There is no network here.')),
    limits: { timeoutMs: 1_000, memoryMb: 256 },
    parsers: 1,
    onError: (error) => process.stderr.write(`${String(error)}\n`),
  });
  service.start();
  ends.push(
    () => rmSync(folder, { recursive: true, force: true }),
    () => memory.close(),
    () => service.stop(),
  );
  return {
    ...{ useCases: service.useCases, maxBytes, folder },
    settled: () => untilSettled(db as Database<unknown>, caller.tenant),
    stored: () => storedIn(folder),
  };
};

const overHttp = async (ingestion: Awaited<ReturnType<typeof newIngestion>>) => {
  const service = await ingestionOverHttp(ingestion.useCases);
  const remote = remoteDocuments({ url: service.url, seal: SEAL });
  ends.push(
    () => service.close(),
    () => remote.close(),
  );
  return { ...ingestion, ...remote, url: service.url };
};

documentBytesContract('The ingestion service in process', async () => {
  const ingestion = await newIngestion();
  return { ...ingestion, uploads: uploads(ingestion.useCases), bytes: documentBytes(ingestion.useCases) };
});
documentBytesContract('The ingestion service over HTTP', async () => overHttp(await newIngestion()));

describe('The internal routes', () => {
  let filled: Awaited<ReturnType<typeof overHttp>>;
  beforeAll(async () => {
    filled = await overHttp(await newIngestion());
  });
  const at = (path: string) => `${filled.url}/internal/documents${path}`;
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

  it('open to nothing but a signed internal token', async () => {
    const { document } = await filled.uploads.accept(caller, uploadOf(Readable.from([newText()])));
    const forged = await identitySeal(new TextEncoder().encode('another secret of 32 characters..')).sign(caller);
    const spent = await identitySeal(new TextEncoder().encode('a secret of at least 32 characters'), -1).sign(caller);
    const wrong: Record<string, string>[] = [{}, { 'x-api-key': 'key' }, bearer(forged), bearer(spent)];
    for (const headers of wrong)
      for (const path of ['text', 'original', 'original/facts']) {
        const answer = await fetch(at(`/${document}/${path}`), { headers });
        expect(answer.status).toBe(401);
        expect(await answer.json()).toMatchObject({ code: 'IDENTITY_INVALID' });
      }
    const sent = await fetch(at(''), { method: 'POST', body: '{"name":"a"}\ntext', headers: bearer(forged) });
    expect([sent.status, await sent.json()]).toEqual([401, expect.objectContaining({ code: 'IDENTITY_INVALID' })]);
  });

  it('ask for the scope of what is done', async () => {
    const reader = { ...caller, scopes: ['read' as const] };
    const upload = filled.uploads.accept(reader, uploadOf(Readable.from([newText()])));
    await expect(upload).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it.each(['', 'no line', 'no JSON\ntext', '{}\ntext', '{"name":1}\ntext', `${'x'.repeat(2_000_000)}\ntext`])(
    'refuse an upload that is not in their form (%#)',
    async (body) => {
      const headers = bearer(await SEAL.sign(caller));
      const answer = await fetch(at(''), { method: 'POST', body: Buffer.from(body), headers });
      expect([answer.status, await answer.json()]).toEqual([400, expect.objectContaining({ code: 'INPUT_INVALID' })]);
    },
  );

  it('leave the connection of a refused upload fit for the next request', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const headers = bearer(await SEAL.sign(caller));
    const post = (body: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const sent = request(at(''), { method: 'POST', agent, headers }, (res) => {
          res.resume().once('end', () => resolve(res.statusCode));
        });
        sent.once('error', reject).end(body);
      });
    const began = Date.now();
    expect(await post(`no JSON\n${'x'.repeat(20_000_000)}`)).toBe(400);
    expect(await post(`${JSON.stringify({ name: 'a.txt' })}\n${newText()}`)).toBe(201);
    expect(Date.now() - began).toBeLessThan(4_000); // a connection that is not read is ended after five seconds
    agent.destroy();
  });

  it('keep nothing of an upload whose gateway is killed', async () => {
    const before = await filled.stored();
    const headers = bearer(await SEAL.sign(caller));
    const sent = request(at(''), {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/octet-stream' },
    });
    sent.on('error', () => {});
    sent.write(`${JSON.stringify({ name: 'a.txt' })}\n${'begun '.repeat(50_000)}`);
    while ((await filled.stored()).broken === before.broken) await new Promise((resolve) => setTimeout(resolve, 5));
    sent.destroy();
    while ((await filled.stored()).broken > before.broken) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await filled.stored()).toEqual(before);
  });

  it('say it where the bytes are of another version by now', async () => {
    const fields = { sourceId: 'changing' };
    const first = await filled.uploads.accept(caller, uploadOf(Readable.from([newText()]), { fields }));
    const original = await filled.bytes.original(caller, first.document);
    await filled.uploads.accept(caller, uploadOf(Readable.from([newText()]), { fields }));
    await expect(buffer(original?.read() ?? Readable.from([]))).rejects.toMatchObject({ code: 'CONFLICT' });
  });
});

describe('The remote filling', () => {
  const fast = { connectMs: 300, answerMs: 300, idleMs: 300 };
  const standIn = async (answer: RequestListener) => {
    const server = createServer(answer);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo; // TCP
    const remote = remoteDocuments({ url: `http://127.0.0.1:${port}`, seal: SEAL, timeouts: fast });
    ends.push(
      () => new Promise((resolve) => server.close(resolve)),
      () => server.closeAllConnections(),
      () => remote.close(),
    );
    return { ...remote, port };
  };
  const ID = '00000000-0000-7000-8000-000000000000';

  it('takes no more of an upload than the service takes', async () => {
    let hold: IncomingMessage | undefined;
    const { uploads: slow } = await standIn((req) => void (hold = req.pause()));
    let given = 0;
    const endless = Readable.from(
      (function* () {
        for (;;) yield Buffer.alloc((given += 64_000) && 64_000);
      })(),
    );
    expect(await failureOf(slow, uploadOf(endless))).toMatchObject({ code: 'TIMED_OUT' });
    expect(hold).toBeDefined();
    expect(given).toBeLessThan(16_000_000); // what the sockets of both sides hold
    expect(endless.destroyed).toBe(true);
  });

  it('passes the request id on, a token, and nothing else of the caller', async () => {
    let seen: IncomingMessage['headers'] = {};
    const { bytes } = await standIn((req, res) => {
      seen = req.headers;
      res.writeHead(404, { 'content-type': 'application/json' });
      res.end(JSON.stringify({ code: 'NOT_FOUND', message: 'There is none.' }));
    });
    const text = bytes.text as (...given: unknown[]) => Promise<unknown>; // the port does not name the facts yet
    expect(await text(caller, ID, { requestId: 'r-1' })).toBeNull();
    expect(Object.keys(seen).sort()).toEqual(['authorization', 'connection', 'host', 'x-request-id']);
    expect(seen['x-request-id']).toBe('r-1');
    await expect(SEAL.open(seen.authorization?.slice('Bearer '.length))).resolves.toEqual(caller);
  });

  it('says within its time limits that the service is away, silent, broken, or of another secret', async () => {
    const silent = await standIn(() => {});
    const cut = await standIn((_req, res) => {
      res.writeHead(200, { 'content-length': 1_000, 'x-postmaster-version': 1 });
      res.write('half', () => res.destroy());
    });
    const stuck = await standIn((_req, res) => {
      res.writeHead(200, { 'content-length': 1_000, 'x-postmaster-version': 1 });
      res.write('half');
    });
    const foreign = await standIn((_req, res) => res.writeHead(404).end('<html>no such page</html>'));
    const strict = await standIn((_req, res) => {
      res.writeHead(401).end(JSON.stringify({ code: 'IDENTITY_INVALID', message: 'Not ours.' }));
    });
    const away = remoteDocuments({ url: 'http://127.0.0.1:1', seal: SEAL, timeouts: fast });
    const began = Date.now();
    for (const [{ bytes, uploads: remote }, code] of [
      [silent, 'TIMED_OUT'],
      [cut, 'SERVICE_UNAVAILABLE'],
      [stuck, 'TIMED_OUT'],
      [foreign, 'SERVICE_UNAVAILABLE'],
      [strict, 'SERVICE_UNAVAILABLE'],
      [away, 'SERVICE_UNAVAILABLE'],
    ] as const) {
      await expect(bytes.text(caller, ID)).rejects.toMatchObject({ code });
      const stream = Readable.from([newText()]);
      expect(await failureOf(remote, uploadOf(stream))).toMatchObject({ code });
      expect(stream.destroyed).toBe(true);
    }
    expect(Date.now() - began).toBeLessThan(8_000);
    await away.close();
  });

  it('tries once more where no connection was had, with the upload still whole', async () => {
    const got: string[] = [];
    const server = createServer((req, res) => {
      void buffer(req).then((body) => {
        got.push(body.toString());
        res.writeHead(201).end(JSON.stringify({ document: ID, version: 1, unchanged: false }));
      });
    });
    const probe = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => probe.once('listening', resolve));
    const { port } = probe.address() as AddressInfo; // TCP
    await new Promise((resolve) => probe.close(resolve));
    const remote = remoteDocuments({ url: `http://127.0.0.1:${port}`, seal: SEAL, timeouts: fast });
    setTimeout(() => server.listen(port, '127.0.0.1'), 50);
    ends.push(
      () => new Promise((resolve) => server.close(resolve)),
      () => remote.close(),
    );
    await remote.uploads.accept(caller, uploadOf(Readable.from(['the text'])));
    expect(got).toEqual([expect.stringMatching(/^\{.*\}\nthe text$/)]);
  });
});
