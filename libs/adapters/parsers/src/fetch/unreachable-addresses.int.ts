import { createHook } from 'node:async_hooks';
import http from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CodedError } from '@postmaster/contracts';
import { fetchDocument } from './fetch-document.js';

/** In the part of IPv6 that is public by its form, and given to nobody: no packet to it arrives anywhere. */
const NOBODY = '3000::1';
const REDIRECTS = 'redirects.example.org';

/** What names resolve to, one list after the other; other names are not known. */
const NAMES: Readonly<Record<string, readonly string[][]>> = {
  [REDIRECTS]: [['127.0.0.1']],
  localhost: [['127.0.0.1', '::1']],
  'localhost.': [['127.0.0.1']],
  'a.localhost': [['127.0.0.1']],
  'localhost.localdomain': [['127.0.0.1']],
  'ip6-localhost': [['::1']],
  '127.0.0.1.nip.example': [['127.0.0.1']],
  'lan.example.org': [['192.168.1.10']],
  'cluster.svc.local': [['10.96.0.1']],
  'metadata.google.internal': [['169.254.169.254']],
  'mapped.example.org': [['::ffff:127.0.0.1']],
  'compatible.example.org': [['::7f00:1']],
  'unspecified.example.org': [['0.0.0.0']],
  'both.example.org': [[NOBODY, '127.0.0.1']],
  'rebound.example.org': [[NOBODY], ['127.0.0.1']],
};

const FORMS: Readonly<Record<string, readonly string[]>> = {
  'this machine, written in other ways': [
    'http://127.0.0.1:PORT/',
    'https://127.0.0.1:PORT/',
    'http://127.0.0.1.:PORT/',
    'http://127.1:PORT/',
    'http://127.0.1:PORT/',
    'http://2130706433:PORT/',
    'http://0x7f000001:PORT/',
    'http://0x7f.1:PORT/',
    'http://0x7f.0x0.0x0.0x1:PORT/',
    'http://0177.0.0.1:PORT/',
    'http://017700000001:PORT/',
    'http://0177.0x0.1:PORT/',
    'http://127.0.0.2:PORT/',
    'http://127.255.255.254:PORT/',
    'http://0.0.0.0:PORT/',
    'http://0:PORT/',
    'http://0.1.2.3:PORT/',
  ],
  'this machine, in IPv6': [
    'http://[::1]:PORT/',
    'http://[0:0:0:0:0:0:0:1]:PORT/',
    'http://[::]:PORT/',
    'http://[::127.0.0.1]:PORT/',
    'http://[::7f00:1]:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://[::ffff:7f00:1]:PORT/',
    'http://[::ffff:0:127.0.0.1]:PORT/',
    'http://[64:ff9b::7f00:1]:PORT/',
    'http://[64:ff9b:1::7f00:1]:PORT/',
    'http://[2002:7f00:1::]:PORT/',
    'http://[2001:0:7f00:1::]:PORT/',
    'http://[::1%lo]:PORT/',
  ],
  'this machine, by a name': [
    'http://localhost:PORT/',
    'http://LOCALHOST:PORT/',
    'http://localhost.:PORT/',
    'http://a.localhost:PORT/',
    'http://localhost.localdomain:PORT/',
    'http://ip6-localhost:PORT/',
    'http://127.0.0.1.nip.example:PORT/',
    'http://mapped.example.org:PORT/',
    'http://compatible.example.org:PORT/',
    'http://unspecified.example.org:PORT/',
    'http://both.example.org:PORT/',
  ],
  'this machine, in letters that mean others': [
    'http://１２７.０.０.１:PORT/',
    'http://127。0。0。1:PORT/',
    'http://①②⑦.⓪.⓪.①:PORT/',
    'http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ:PORT/',
    'http://ｌｏｃａｌｈｏｓｔ:PORT/',
    'http://%31%32%37.0.0.1:PORT/',
    'http://127%2e0%2e0%2e1:PORT/',
    'http://loc%61lhost:PORT/',
    'http://127.0\t.0.1:PORT/',
    'http://local\nhost:PORT/',
    '  http://127.0.0.1:PORT/',
    'http:\\\\127.0.0.1:PORT\\',
    'http:/127.0.0.1:PORT/',
    'http:127.0.0.1:PORT/',
    'hTTp://127.0.0.1:PORT/',
  ],
  'this machine, beside another name': [
    'http://example.org@127.0.0.1:PORT/',
    'http://example.org:80@127.0.0.1:PORT/',
    'http://example.org%2f@127.0.0.1:PORT/',
    'http://127.0.0.1:PORT\\@example.org/',
    'http://127.0.0.1:PORT?@example.org/',
    'http://127.0.0.1:PORT#@example.org/',
    'http://@127.0.0.1:PORT/',
  ],
  'networks that are not public': [
    'http://10.0.0.1:PORT/',
    'http://10.255.255.255:PORT/',
    'http://172.16.0.1:PORT/',
    'http://172.31.255.255:PORT/',
    'http://192.168.0.1:PORT/',
    'http://100.64.0.1:PORT/',
    'http://100.127.255.255:PORT/',
    'http://192.0.0.8:PORT/',
    'http://192.0.2.1:PORT/',
    'http://198.18.0.1:PORT/',
    'http://198.19.255.255:PORT/',
    'http://198.51.100.1:PORT/',
    'http://203.0.113.1:PORT/',
    'http://224.0.0.1:PORT/',
    'http://239.255.255.250:PORT/',
    'http://240.0.0.1:PORT/',
    'http://255.255.255.255:PORT/',
    'http://[fc00::1]:PORT/',
    'http://[fd12:3456::1]:PORT/',
    'http://[fe80::1]:PORT/',
    'http://[fe80::1%25eth0]:PORT/',
    'http://[fec0::1]:PORT/',
    'http://[ff02::1]:PORT/',
    'http://[100::1]:PORT/',
    'http://[2001:db8::1]:PORT/',
    'http://[4000::1]:PORT/',
    'http://[::ffff:10.0.0.1]:PORT/',
    'http://[64:ff9b::a00:1]:PORT/',
    'http://[2002:c0a8:101::1]:PORT/',
    'http://lan.example.org:PORT/',
    'http://cluster.svc.local:PORT/',
  ],
  'what clouds tell their machines': [
    'http://169.254.169.254/latest/meta-data/',
    'http://0xa9fea9fe/latest/meta-data/',
    'http://2852039166/latest/meta-data/',
    'http://[::ffff:a9fe:a9fe]/latest/meta-data/',
    'http://[fd00:ec2::254]/latest/meta-data/',
    'http://169.254.170.2/v2/credentials',
    'http://100.100.100.200/latest/meta-data/',
    'http://168.63.129.16/machine',
    'http://metadata.google.internal/computeMetadata/v1/',
  ],
  'other ways than http': [
    'file:///etc/passwd',
    'file://127.0.0.1/etc/passwd',
    'ftp://127.0.0.1:PORT/a',
    'gopher://127.0.0.1:PORT/_GET',
    'dict://127.0.0.1:PORT/stat',
    'ldap://127.0.0.1:PORT/',
    'ws://127.0.0.1:PORT/',
    'data:text/plain,hello',
    'blob:http://127.0.0.1:PORT/a',
    'jar:http://127.0.0.1:PORT/a.jar!/b',
    'view-source:http://127.0.0.1:PORT/',
    'javascript:fetch("http://127.0.0.1:PORT/")',
    '//127.0.0.1:PORT/',
    '127.0.0.1:PORT',
    '/etc/passwd',
  ],
};

/** Connections that arrived on this machine, whoever they were meant for; and those that the process began, to anywhere. */
let arrived = 0;
let begun = 0;
const beginnings = createHook({ init: (_id, type) => void (type === 'TCPCONNECTWRAP' && begun++) });

const listeners = [http.createServer(), http.createServer()].map((server) =>
  server.on('connection', () => arrived++).on('request', (_request, response) => response.end('secret')),
);
const redirects = http.createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://server');
  const to = searchParams.get('to') ?? '';
  if (pathname === '/page')
    return response.setHeader('refresh', `0;url=${to}`).end(`<meta http-equiv=refresh content="0;url=${to}">`);
  const left = Number(searchParams.get('left') ?? 0);
  const next = `/?${String(new URLSearchParams({ left: String(left - 1), to }))}`;
  return response.writeHead(Number(searchParams.get('status') ?? 302), { location: left > 0 ? next : to }).end();
});

const listen = (server: http.Server, host: string, port = 0): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, host, () => resolve((server.address() as AddressInfo).port)); // it listens on TCP
  });

let port = 0;
let redirecting = '';
const at = (form: string): string => form.replace('PORT', String(port));
const redirectTo = (form: string, more: Readonly<Record<string, string>> = {}, path = '/'): string =>
  `${redirecting}${path}?${String(new URLSearchParams({ ...more, to: at(form) }))}`;

const asked: string[] = [];
const lookup: LookupFunction = (name, options, callback) => {
  const times = asked.filter((other) => other === name).length;
  asked.push(name);
  const answers = NAMES[name] ?? [];
  const found = (answers[times] ?? answers.at(-1) ?? []).map((address) => ({
    address,
    family: address.includes(':') ? 6 : 4,
  }));
  const [first] = found;
  if (!first) return callback(Object.assign(new Error('unknown name'), { code: 'ENOTFOUND' }), '', 4);
  return options.all ? callback(null, found) : callback(null, first.address, first.family);
};
const LIMITS = { maxBytes: 10_000, timeoutMs: 20_000, lookup };
const fetchPublic = fetchDocument(LIMITS);
const fetchRedirected = fetchDocument({ ...LIMITS, allowPrivate: [REDIRECTS] });
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'fetched',
    (error: unknown) => (error instanceof CodedError ? error.code : String(error)),
  );

beforeAll(async () => {
  const [four, six] = listeners;
  if (four) port = await listen(four, '127.0.0.1');
  if (six) await listen(six, '::1', port).catch(() => console.info('there is no IPv6 here, so nothing listens on ::1'));
  redirecting = `http://${REDIRECTS}:${await listen(redirects, '127.0.0.1')}`;
  beginnings.enable();
});
afterAll(async () => {
  beginnings.disable();
  for (const server of [...listeners, redirects]) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

describe('an address that must not be reached', () => {
  it('would be seen here if it were', async () => {
    const document = await fetchDocument({ ...LIMITS, allowPrivate: true })(at('http://127.0.0.1:PORT/'));
    expect((await buffer(document.stream)).toString()).toBe('secret');
    expect([arrived, begun]).toEqual([1, 1]);
    [arrived, begun] = [0, 0];
  });

  describe.each(Object.entries(FORMS))('%s', (_kind, forms) => {
    it.each(forms)('is refused without any connection: %j', async (form) => {
      begun = 0;
      expect([await codeOf(fetchPublic(at(form))), begun]).toEqual(['URL_REFUSED', 0]);
    });
  });

  it.each(['301', '302', '303', '307', '308'])('is refused after a redirect with status %s', async (status) => {
    expect(await codeOf(fetchRedirected(redirectTo('http://127.0.0.1:PORT/', { status })))).toBe('URL_REFUSED');
  });

  it.each(
    Object.values(FORMS)
      .flatMap((forms) => forms.filter((_form, index) => index % 4 === 0))
      .filter((form) => /^\w+:\/\/[!-~]+$/.test(form)) // what a header may hold, and no address relative to its page
      .concat('//127.0.0.1:PORT/', '\\\\127.0.0.1:PORT\\', 'http://[::7f00:1]:PORT/', 'data:text/plain,hello'),
  )('is refused where a redirect leads to it: %j', async (form) => {
    expect(await codeOf(fetchRedirected(redirectTo(form)))).toBe('URL_REFUSED');
  });

  it('is refused after several redirects, and not asked for after too many', async () => {
    const end = 'http://127.0.0.1:PORT/';
    expect(await codeOf(fetchRedirected(redirectTo(end, { left: '3' })))).toBe('URL_REFUSED');
    expect(await codeOf(fetchRedirected(redirectTo(end, { left: '6' })))).toBe('URL_UNREACHABLE');
  });

  it('is not followed from within a page', async () => {
    const document = await fetchRedirected(redirectTo('http://127.0.0.1:PORT/', {}, '/page'));
    expect((await buffer(document.stream)).toString()).toContain(`url=http://127.0.0.1:${port}/`);
  });

  it('is not reached by a name that changes its address: what is checked is what is connected to', async () => {
    const hasty = fetchDocument({ ...LIMITS, timeoutMs: 300 });
    const address = at('http://rebound.example.org:PORT/');
    expect(await codeOf(hasty(address))).toBe('URL_UNREACHABLE');
    expect(asked.filter((name) => name === 'rebound.example.org')).toHaveLength(1);
    expect(await codeOf(hasty(address))).toBe('URL_REFUSED');
  });

  it('was connected to by none of these', () => {
    expect(arrived).toBe(0);
  });
});
