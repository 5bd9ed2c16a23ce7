import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, clientOf, follow } from './client.js';
import { type Fields, formOf, ingestText, postTo } from './partner-requests.js';
import { joinServer } from './joined-server.js';
import { type ServerProcess, temporaryFolder } from './server-process.js';

const SECRET = 'the secret of the webhook';
const SIGNATURE_HEADER = 'x-postmaster-signature';
/** As docs and /api/v1/docs tell a sender to make it. */
const signatureOf = (secret: string, seconds: number, body: Uint8Array): string =>
  `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex')}`;

const folder = temporaryFolder();
let server: ServerProcess;
let ours: Client;

const post = (path: string, body: FormData | string, headers: Fields = {}, key = server.key) =>
  postTo(server, key, path, body, headers);

beforeAll(async () => {
  server = await joinServer(folder.path, { ENCODER_THREADS: '1', MAIL_WEBHOOK_SECRET: SECRET });
  ours = clientOf(server, server.key);
}, 120_000);
afterAll(async () => {
  await server?.end();
  folder.remove();
});

describe('an Idempotency-Key', () => {
  const KEY = { 'idempotency-key': 'order-4711/upload' };
  const NOTE = { name: 'note.md', text: 'The lighthouse of Skagen is 46 metres high.' };
  const upload = (text: string, fields: Fields, headers: Fields = KEY, key = server.key) =>
    post('/api/v1/documents', formOf(fields, { ...NOTE, text }), headers, key);

  it('gives an upload that is sent again the first answer, and writes nothing', async () => {
    const first = await upload(NOTE.text, { sourceId: 'once' });
    expect(first).toMatchObject({ status: 202, body: { version: 1 } });
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    await upload('Another text under the same identity.', { sourceId: 'once' }, {});
    const again = await upload(NOTE.text, { sourceId: 'once' });
    expect({ status: again.status, body: again.body }).toEqual({ status: 202, body: first.body });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    const { version } = await (await ours.get(first.body.links.status)).json();
    expect(version).toBe(2); // done again, the upload would have made a third
  });

  it.each<[string, () => ReturnType<typeof post>]>([
    ['another file', () => upload('Another text.', { sourceId: 'once' })],
    ['another field', () => upload(NOTE.text, { sourceId: 'twice' })],
    ['another address', () => post('/documents/upload', formOf({ sourceId: 'once' }, NOTE), KEY)],
    ['a mutation', () => post('/graphql', ingestText('x'), KEY)],
  ])('is refused with %s', async (_what, send) => {
    const { status, body } = await send();
    expect(body.code ?? body.errors[0].extensions.code).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(status).toBe(409);
  });

  it('stays free after a failure, and after an upload that broke off', async () => {
    const key = { 'idempotency-key': 'fails-first' };
    expect((await upload('', {}, key)).body).toMatchObject({ code: 'EMPTY_FILE' });
    expect((await upload('There is a text now.', {}, key)).status).toBe(202);
  });

  it.each(['', 'x'.repeat(256), 'two words'])('has a form, and "%s" is not of it', async (sent) => {
    const { status, body } = await upload(NOTE.text, {}, { 'idempotency-key': sent });
    expect({ status, ...body }).toMatchObject({ status: 400, code: 'INPUT_INVALID', field: 'Idempotency-Key' });
  });

  it('holds for mutations and jobs too', async () => {
    const key = { 'idempotency-key': 'mutate-1' };
    const first = await post('/graphql', ingestText('one'), key);
    const again = await post('/graphql', ingestText('one'), key);
    expect(first.body.data.ingestText).toMatchObject({ version: 1, unchanged: false });
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const id = first.body.data.ingestText.document.id;
    const remove = () =>
      ours.get(`/api/v1/documents/${id}`, { method: 'DELETE', headers: { 'idempotency-key': 'delete-1' } });
    const gone = await (await remove()).json();
    expect(await (await remove()).json()).toEqual(gone);
  });

  const MAIL = 'Message-ID: <once@example.org>\r\nSubject: Ferry\r\n\r\nWe sail at ten.';
  const mail = (body: string, headers: Fields, type = 'message/rfc822', ago = 0) =>
    ours.get('/api/v1/mail', {
      method: 'POST',
      headers: {
        ...{ ...headers, 'content-type': type },
        [SIGNATURE_HEADER]: signatureOf(SECRET, Math.floor(Date.now() / 1000) - ago, Buffer.from(body)),
      },
      body,
    });
  const mailForm = (boundary: string): [string, string] => [
    `--${boundary}\r\ncontent-disposition: form-data; name="mail"; filename="m.eml"\r\n\r\n${MAIL}\r\n--${boundary}--\r\n`,
    `multipart/form-data; boundary=${boundary}`,
  ];
  const sent = (path: string, method: string, body?: object) => (headers: Fields) =>
    ours.get(path, { method, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) });
  const graph = (query: string) => sent('/graphql', 'POST', { query });

  it.each<[string, (headers: Fields, time: 'first' | 'again') => Promise<Response>]>([
    ['a mail', (headers, time) => mail(MAIL, headers, undefined, time === 'again' ? 5 : 0)],
    [
      'a mail in a form, however it is packed',
      (headers, time) => {
        const [body, type] = mailForm(time);
        return mail(body, headers, type);
      },
    ],
    [
      "a tenant's settings",
      graph('mutation { updateTenant(input: { search: { fusion: RRF } }) { ... on Tenant { id search { fusion } } } }'),
    ],
    ['the begin of an evaluation', sent('/api/v1/evaluations', 'POST', { collections: ['composite'] })],
    ['a deletion by filter', sent('/api/v1/documents?collection=nowhere', 'DELETE')],
    ['a retry of dead letters', sent('/api/v1/dead-letters/retry', 'POST', { filter: { service: 'ingestion' } })],
  ])('holds for %s', async (what, send) => {
    const headers = { 'idempotency-key': encodeURIComponent(what) };
    const [first, again] = [await send(headers, 'first'), await send(headers, 'again')];
    const body = await first.json();
    expect({ status: Math.floor(first.status / 100), body }).toMatchObject({ status: 2, body: expect.anything() });
    expect(body).not.toHaveProperty('errors');
    expect([again.status, await again.json()]).toEqual([first.status, body]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  it('holds for feedback, and for the drop of an evaluation', async () => {
    await follow(ours, (await upload('The bakery opens at six.', { sourceId: 'bakery' }, {})).body.id);
    const query = 'When does the bakery open?';
    const found = await (await ours.get(`/api/v1/search?query=${encodeURIComponent(query)}`)).json();
    const paragraph = found.paragraphs[0].id;
    const { id } = await (await sent('/api/v1/evaluations', 'POST', { collections: ['composite'] })({})).json();
    for (const send of [
      sent('/api/v1/feedback', 'POST', { query, paragraph, verdict: 'RIGHT' }),
      sent(`/api/v1/evaluations/${id}`, 'DELETE'),
    ]) {
      const headers = { 'idempotency-key': `twice-${Math.random()}` };
      const [first, again] = [await send(headers), await send(headers)];
      expect([first.ok, again.status, await again.json()]).toEqual([true, first.status, await first.json()]);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
    }
  });

  it('is refused with another mail, and gives none its answer whose signature is wrong', async () => {
    const headers = { 'idempotency-key': 'mail-2' };
    const other = MAIL.replace('ten', 'six');
    expect((await mail(MAIL, headers)).status).toBe(202);
    expect(await (await mail(other, headers)).json()).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    const forged = {
      ...headers,
      'content-type': 'message/rfc822',
      [SIGNATURE_HEADER]: signatureOf('x', Math.floor(Date.now() / 1000), Buffer.from(MAIL)),
    };
    const refused = await ours.get('/api/v1/mail', { method: 'POST', headers: forged, body: MAIL });
    expect([refused.status, (await refused.json()).code]).toEqual([401, 'SIGNATURE_INVALID']);
  });
});
