import { createHmac } from 'node:crypto';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, clientOf, follow } from './client.js';
import { formOf } from './partner-requests.js';
import { joinServer } from './joined-server.js';
import { type ServerProcess, temporaryFolder } from './server-process.js';

const ADMIN = 'operators-key-of-the-test';
const SECRET = 'the secret of the webhook';
const TEXT = 'The windmill of Dybbøl was shot to ruins in 1849 and in 1864, and was built up again each time.';
const QUESTION = 'When was the windmill of Dybbøl shot to ruins?';

const folder = temporaryFolder();
const place = join(folder.path, 'letters');
let server: ServerProcess;
let ours: Client;
let operator: Client;
const called = new Set<string>();
/** What one call gives and a later one needs. */
const known: Record<string, string> = {};

interface Call {
  query?: Record<string, string>;
  body?: object | FormData | string;
  headers?: Record<string, string>;
  as?: 'operator';
  status?: number;
  /** It is there soon: asked again until it is. */
  again?: true;
  /** Name in `known` → field of the answer. */
  keep?: Record<string, string>;
  expect?: object;
}

/** As many of the API's description's operations as there are, in an order in which each has what it needs. */
const CALLS: [operation: string, call: () => Call][] = [
  ['POST /api/v1/documents', () => ({ body: upload('first.md'), keep: { document: 'id' } })],
  ['GET /api/v1/documents/{document}/events', () => ({ status: 200 })],
  ['GET /api/v1/documents/{document}', () => ({ expect: { status: 'READY' } })],
  ['GET /api/v1/documents', () => ({ query: { titleContains: 'first' }, expect: { total: 1 } })],
  ['GET /api/v1/documents/{document}/text', () => ({})],
  ['GET /api/v1/documents/{document}/original', () => ({})],
  ['GET /api/v1/search', () => ({ query: { query: QUESTION }, keep: { paragraph: 'paragraphs.0.id' } })],
  ['GET /api/v1/query', () => ({ query: { query: QUESTION }, expect: { found: true } })],
  ['POST /api/v1/ask', () => ({ body: { query: QUESTION } })],
  ['GET /api/v1/paragraphs/{paragraph}/similar', () => ({ expect: { paragraphs: [] } })],
  ['POST /api/v1/judge', () => ({ body: { query: QUESTION, paragraph: known.paragraph } })],
  ['POST /api/v1/summary', () => ({ body: { points: 1 }, expect: { documents: 1 } })],
  [
    'POST /api/v1/feedback',
    () => ({ body: { query: QUESTION, paragraph: known.paragraph, verdict: 'RIGHT' }, status: 201 }),
  ],
  ['GET /api/v1/feedback/export', () => ({})],
  ['POST /api/v1/documents/{document}/retry', () => ({ keep: { job: 'id' } })],
  ['GET /api/v1/jobs/{job}', () => ({ expect: { kind: 'RETRY' } })],
  ['POST /documents/upload', () => ({ body: upload('second.md') })],
  ['POST /api/v1/documents/upload', () => ({ body: upload('third.md') })],
  ['POST /api/v1/ingest', () => ({ body: upload('fourth.md', { tenant_id: server.tenant }) })],
  ['POST /api/v1/mail', () => ({ body: MAIL, headers: { 'content-type': 'message/rfc822', ...signed(MAIL) } })],
  ['POST /api/v1/folders', () => ({ body: { path: place }, keep: { folder: 'id' } })],
  ['GET /api/v1/folders', () => ({})],
  ['POST /api/v1/folders/{folder}/scan', () => ({})],
  ['DELETE /api/v1/folders/{folder}', () => ({})],
  [
    'POST /api/v1/evaluations',
    () => ({ body: { collections: ['composite'] }, status: 201, keep: { evaluation: 'id' } }),
  ],
  [
    'POST /api/v1/evaluations/{evaluation}/paragraphs',
    () => ({ body: { paragraphs: [{ id: 'p', document: 'd', title: 'Mill', position: 0, text: TEXT }] } }),
  ],
  [
    'POST /api/v1/evaluations/{evaluation}/questions',
    () => ({ body: { questions: [{ id: 'q', text: QUESTION }], ways: ['composite'] } }),
  ],
  ['DELETE /api/v1/evaluations/{evaluation}', () => ({ expect: { dropped: true } })],
  ['GET /api/v1/dead-letters', () => ({ expect: { deadLetters: [] } })],
  ['POST /api/v1/dead-letters/retry', () => ({ body: { filter: { service: 'ingestion' } } })],
  ['GET /api/v1/dead-letters/{service}/{letter}', () => ({ status: 404, expect: { code: 'NOT_FOUND' } })],
  ['DELETE /api/v1/dead-letters/{service}/{letter}', () => ({ status: 404, expect: { code: 'NOT_FOUND' } })],
  ['DELETE /api/v1/documents/{document}', () => ({})],
  ['GET /api/v1/deletions/{document}', () => ({ again: true, expect: { documents: 1 } })],
  ['DELETE /api/v1/documents', () => ({ query: { titleContains: 'third' }, expect: { kind: 'DELETE' } })],
  ['POST /api/v1/init', () => ({ as: 'operator', body: { tenant_id: known.partner }, status: 201 })],
  ['DELETE /api/v1/tenants/{partner}', () => ({ as: 'operator' })],
  ['GET /api/v1/tenants/{partner}/deletion', () => ({ as: 'operator', expect: { tenant: known.partner } })],
];

const MAIL = 'Message-ID: <mill@example.org>\r\nSubject: The mill\r\n\r\nThe sails turn again.';
const signed = (mail: string): Record<string, string> => {
  const seconds = Math.floor(Date.now() / 1000);
  const hash = createHmac('sha256', SECRET).update(`${seconds}.${mail}`).digest('hex');
  return { 'x-postmaster-signature': `t=${seconds},v1=${hash}` };
};
const upload = (name: string, fields: Record<string, string> = {}): FormData =>
  formOf({ ...fields, sourceType: 'test', sourceId: name }, { name, text: `${TEXT} (${name})` });

beforeAll(async () => {
  mkdirSync(place);
  writeFileSync(join(place, 'letter.md'), 'The letter says that the mill has a new cap.');
  utimesSync(join(place, 'letter.md'), new Date(Date.now() - 60_000), new Date(Date.now() - 60_000));
  server = await joinServer(folder.path, {
    ...{ ENCODER_THREADS: '1', POSTMASTER_ADMIN_KEY: ADMIN, MAIL_WEBHOOK_SECRET: SECRET, FOLDER_ROOTS: folder.path },
  });
  [ours, operator] = [clientOf(server, server.key), clientOf(server, ADMIN)];
  Object.assign(known, {
    partner: `partner-${server.tenant}`,
    service: 'ingestion',
    letter: '00000000-0000-7000-8000-000000000000',
  });
}, 120_000);
afterAll(async () => {
  await server.end();
  folder.remove();
});

const fieldOf = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], value);

/** Of a stream its beginning, which may have no end. */
const textOf = async (response: Response): Promise<string> => {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response.text();
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const first = await reader?.read();
  await reader?.cancel();
  return first?.value ?? '';
};

const READY_WITHIN_MS = 150_000;

it.each(CALLS)(
  '%s',
  async (operation, callOf) => {
    const { query, body, headers, as, status, again, keep = {}, expect: expected } = callOf();
    const [method = '', template = ''] = operation.split(' ');
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) => known[name] ?? name);
    const isJson = body !== undefined && typeof body !== 'string' && !(body instanceof FormData);
    const send = (): Promise<Response> =>
      (as === 'operator' ? operator : ours).get(`${path}${query ? `?${new URLSearchParams(query).toString()}` : ''}`, {
        method,
        headers: { ...(isJson && { 'content-type': 'application/json' }), ...headers },
        body: isJson ? JSON.stringify(body) : (body as FormData | string | undefined),
      });
    let response = await send();
    for (let i = 0; again && response.status === 404 && i < 300; i++) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      response = await send();
    }
    const text = await textOf(response);
    expect({ text, right: status ? [status] : [200, 202] }).toMatchObject({
      right: expect.arrayContaining([response.status]),
    });
    const isOne = /^application\/(problem\+)?json/.test(response.headers.get('content-type') ?? '');
    const answer = isOne ? (JSON.parse(text) as unknown) : undefined;
    if (expected) expect(answer).toMatchObject(expected);
    for (const [name, field] of Object.entries(keep)) known[name] = String(fieldOf(answer, field));
    if (keep.document) await follow(ours, known.document ?? '', ['READY'], READY_WITHIN_MS);
    called.add(`${method} ${template}`);
  },
  READY_WITHIN_MS + 30_000,
);

it('and no other call is in the description of the API', async () => {
  const { paths } = (await (await ours.get('/api/v1/openapi.json')).json()) as { paths: Record<string, object> };
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const form = (operation: string): string => operation.replace(/\{\w+\}/g, '{}');
  expect([...called].map(form).sort()).toEqual(described.map(form).sort());
});
