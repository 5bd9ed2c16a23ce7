import http from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CodedError } from '@postmaster/contracts';
import { fetchDocument, type FetchedDocument } from './fetch-document.js';

let origin: string;
const server = http.createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://server');
  switch (pathname) {
    case '/files/r%C3%A5d.txt':
      return response.setHeader('content-type', 'text/plain; charset=utf-8').end('hej');
    case '/named':
      return response
        .setHeader('content-disposition', `attachment; filename="x.pdf"; filename*=UTF-8''%C3%A5rs%2Frapport.pdf`)
        .end('x');
    case '/to':
      return response.writeHead(302, { location: searchParams.get('url') ?? '' }).end();
    case '/loop':
      return response.writeHead(302, { location: '/loop' }).end();
    case '/large':
      return response.writeHead(200, { 'content-length': 1_000_000 }).end(Buffer.alloc(1_000_000));
    case '/endless':
      return void endless(response);
    case '/packed':
      return response.setHeader('content-encoding', 'gzip').end(gzipSync('a'.repeat(5000)));
    case '/silent':
      return response;
    case '/broken':
      response.writeHead(200, { 'content-length': 100 });
      response.write('some');
      return setTimeout(() => response.destroy(), 20);
    default:
      return response.writeHead(404).end('nothing here');
  }
});
const endless = (response: http.ServerResponse): void => {
  while (!response.destroyed && response.write(Buffer.alloc(1024)));
  if (!response.destroyed) response.once('drain', () => endless(response));
};

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const LIMITS = { maxBytes: 10_000, timeoutMs: 10_000 };
const inside = fetchDocument({ ...LIMITS, allowPrivate: true });
const outside = fetchDocument(LIMITS);
const bodyOf = async (document: FetchedDocument): Promise<string> => (await buffer(document.stream)).toString();
const failureOf = async (work: Promise<unknown>): Promise<CodedError> => {
  const error: unknown = await work.catch((cause: unknown) => cause);
  if (error instanceof CodedError) return error;
  throw new Error(`should have failed with a code, not with ${String(error)}`);
};

describe('fetchDocument', () => {
  it('gives the bytes, the type with its charset, a name and the final address', async () => {
    const document = await inside(`${origin}/to?url=/files/r%25C3%25A5d.txt`);
    expect(document).toMatchObject({
      contentType: 'text/plain; charset=utf-8',
      name: 'råd.txt',
      finalUrl: `${origin}/files/r%C3%A5d.txt`,
    });
    expect(await bodyOf(document)).toBe('hej');
  });

  it('takes the name that the server suggests, without any path in it', async () => {
    const document = await inside(`${origin}/named`);
    document.stream.destroy();
    expect(document.name).toBe('rapport.pdf');
  });

  it('unpacks what a server packed unasked, and counts what comes out', async () => {
    expect(await bodyOf(await inside(`${origin}/packed`))).toBe('a'.repeat(5000));
    const small = fetchDocument({ ...LIMITS, maxBytes: 4000, allowPrivate: true });
    expect((await failureOf(small(`${origin}/packed`).then(bodyOf))).code).toBe('TOO_LARGE');
  });

  it('refuses what is too large, by its length if told, else while it comes', async () => {
    expect((await failureOf(inside(`${origin}/large`))).code).toBe('TOO_LARGE');
    expect((await failureOf(inside(`${origin}/endless`).then(bodyOf))).code).toBe('TOO_LARGE');
  });

  it.each<[string, RegExp]>([
    ['/missing', /status 404/],
    ['/loop', /more than 5 times/],
    ['/broken', /can't be reached/],
  ])('says why nothing came from %s', async (path, says) => {
    const failure = await failureOf(inside(origin + path).then(bodyOf));
    expect(failure).toMatchObject({ code: 'URL_UNREACHABLE', field: 'url', message: expect.stringMatching(says) });
  });

  it('gives up on a server that does not answer in time', async () => {
    const hasty = fetchDocument({ ...LIMITS, timeoutMs: 100, allowPrivate: true });
    expect((await failureOf(hasty(`${origin}/silent`))).message).toMatch(/took longer than 0.1 s/);
  });

  it('stops when asked to, with the reason that was given', async () => {
    const stop = new AbortController();
    const work = inside(`${origin}/silent`, stop.signal);
    stop.abort(new Error('shutting down'));
    await expect(work).rejects.toThrow('shutting down');
  });
});

describe('fetchDocument, of what is not public', () => {
  it.each([
    'http://127.0.0.1/',
    'http://localhost/',
    'http://[::1]/',
    'http://169.254.169.254/latest/meta-data',
    'http://10.0.0.1/',
    'http://192.168.1.1/',
    'http://172.16.0.1/',
    'http://100.64.0.1/',
    'http://0.0.0.0/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://017700000001/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[fd00::1]/',
    'http://[fe80::1]/',
    'https://127.0.0.1/',
    'file:///etc/passwd',
    'ftp://example.org/a',
    'data:text/plain,hello',
    'http://user:secret@example.org/',
    'no address',
  ])('refuses %s', async (address) => {
    const failure = await failureOf(outside(address));
    expect(failure).toMatchObject({ code: 'URL_REFUSED', field: 'url' });
    expect(failure.next).toMatch(/public address|upload/);
  });

  const resolvingTo =
    (address: string): LookupFunction =>
    (_name, options, callback) =>
      options.all ? callback(null, [{ address, family: 4 }]) : callback(null, address, 4);

  it('refuses a public name that resolves to a private address', async () => {
    const rebound = fetchDocument({ ...LIMITS, lookup: resolvingTo('10.1.2.3') });
    expect((await failureOf(rebound('http://documents.example.org/'))).code).toBe('URL_REFUSED');
  });

  it('checks every redirect anew: where the first host is trusted, the next is not', async () => {
    const trusting = fetchDocument({ ...LIMITS, allowPrivate: ['127.0.0.1'] });
    const port = new URL(origin).port;
    expect(await bodyOf(await trusting(`${origin}/to?url=/packed`))).toHaveLength(5000);
    for (const target of [`http://localhost:${port}/packed`, 'file:///etc/passwd', 'http://user:secret@127.0.0.1/']) {
      const failure = await failureOf(trusting(`${origin}/to?url=${encodeURIComponent(target)}`));
      expect(failure.code).toBe('URL_REFUSED');
    }
  });
});
