import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KEYS, StandInServices } from '../test/stand-in-services.js';
import type { Gateway } from './index.js';

const LIMIT = 64 * 1024;
const services = new StandInServices();
let gateway: Gateway;
let url: string;

beforeAll(async () => {
  gateway = await services.start({ maxDocumentBytes: LIMIT });
  url = await gateway.listen();
});
afterAll(() => gateway.close());

const acme = { 'x-api-key': KEYS.acme };
const get = (path: string, headers: Record<string, string> = acme) => fetch(`${url}/api/v1${path}`, { headers });

type Part = [name: string, value: string] | [name: string, bytes: string, file: string];

const upload = (parts: Part[], headers: Record<string, string> = acme) => {
  const body = new FormData();
  for (const [name, value, file] of parts)
    if (file === undefined) body.append(name, value);
    else body.append(name, new File([value], file, { type: 'text/plain' }));
  return fetch(`${url}/api/v1/documents`, { method: 'POST', headers, body });
};

const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code;

describe('an upload', () => {
  it('answers 202 with the id and where to follow it, and keeps names as NFC and fields as sent', async () => {
    const name = 'Blåbærgrød.txt';
    const response = await upload([
      ['collection', 'recipes'],
      ['metadata', '{"year":2026}'],
      ['priority', 'bulk'],
      ['file', 'Boil the berries.', name.normalize('NFD')],
    ]);
    const body = await response.json();
    expect(response.status).toBe(202);
    expect(body).toMatchObject({ id: expect.any(String), version: 1, unchanged: false, name: name.normalize('NFC') });
    expect(response.headers.get('location')).toBe(`/api/v1/documents/${body.id}`);
    expect(body.links).toEqual({
      status: `/api/v1/documents/${body.id}`,
      events: `/api/v1/documents/${body.id}/events`,
      text: `/api/v1/documents/${body.id}/text`,
      original: `/api/v1/documents/${body.id}/original`,
    });
    expect(services.files.get(body.id)).toMatchObject({
      tenant: 'acme',
      name: name.normalize('NFC'),
      fields: { collection: 'recipes', metadata: { year: 2026 }, priority: 'BULK' },
    });
  });

  it('takes several files, and tells of each', async () => {
    const response = await upload([
      ['file', 'one', 'one.txt'],
      ['file', '', 'empty.txt'],
      ['file', 'three', 'three.txt'],
    ]);
    expect(response.status).toBe(202);
    const { documents } = await response.json();
    expect(documents).toEqual([
      expect.objectContaining({ name: 'one.txt', id: expect.any(String) }),
      { name: 'empty.txt', failure: expect.objectContaining({ code: 'EMPTY_FILE' }) },
      expect.objectContaining({ name: 'three.txt', id: expect.any(String) }),
    ]);
  });

  it('takes a file of just the limit, and refuses one byte more', async () => {
    expect((await upload([['file', 'x'.repeat(LIMIT), 'full.txt']])).status).toBe(202);
    const before = services.files.size;
    const over = await upload([['file', 'x'.repeat(LIMIT + 1), 'over.txt']]);
    expect(over.status).toBe(413);
    expect(await over.json()).toMatchObject({ code: 'TOO_LARGE', next: expect.stringContaining('MAX_DOCUMENT_BYTES') });
    expect(services.files.size).toBe(before);
  });

  it('refuses what is too large while it still comes in', async () => {
    const boundary = 'part';
    const sending = request(`${url}/api/v1/documents`, {
      method: 'POST',
      headers: { ...acme, 'content-type': `multipart/form-data; boundary=${boundary}` },
    });
    const answered = new Promise<number | undefined>((resolve) =>
      sending.on('response', (res) => resolve(res.statusCode)),
    );
    sending.on('error', () => {}); // cut off after the answer
    sending.write(`--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="endless.txt"\r\n\r\n`);
    sending.write('x'.repeat(2 * LIMIT)); // and never an end
    expect(await answered).toBe(413);
    sending.destroy();
  });

  it('keeps nothing of an upload that breaks off', async () => {
    const before = services.files.size;
    const boundary = 'part';
    await new Promise<void>((resolve) => {
      const sending = request(`${url}/api/v1/documents`, {
        method: 'POST',
        headers: { ...acme, 'content-type': `multipart/form-data; boundary=${boundary}` },
      });
      sending.on('error', () => resolve());
      sending.write(`--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="half.txt"\r\n\r\nhalf`);
      setTimeout(() => sending.destroy(), 100);
      sending.on('close', () => resolve());
    });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(services.files.size).toBe(before);
  });

  it('says which field is wrong, comes too late or is unknown', async () => {
    for (const parts of [
      [
        ['metadata', 'not json'],
        ['file', 'x', 'x.txt'],
      ],
      [
        ['createdAt', 'yesterday'],
        ['file', 'x', 'x.txt'],
      ],
      [
        ['colour', 'red'],
        ['file', 'x', 'x.txt'],
      ],
      [
        ['file', 'x', 'x.txt'],
        ['title', 'late'],
      ],
    ] as Part[][]) {
      const response = await upload(parts);
      expect(response.status).toBe(400);
      expect(await codeOf(response)).toBe('INPUT_INVALID');
    }
  });

  it('needs a form, a file in it, and a key that may write', async () => {
    const notForm = await fetch(`${url}/api/v1/documents`, { method: 'POST', headers: acme, body: 'text' });
    expect(await codeOf(notForm)).toBe('UPLOAD_BROKEN');
    expect(await codeOf(await upload([['title', 'no file']]))).toBe('UPLOAD_BROKEN');
    expect(await codeOf(await upload([['file', 'x', 'x.txt']], { 'x-api-key': KEYS.reader }))).toBe('FORBIDDEN');
    expect(await codeOf(await upload([['file', 'x', 'x.txt']], {}))).toBe('KEY_MISSING');
  });
});

describe('a document', () => {
  const given = async (text = 'Grød, æbler og øl', name = 'Smørrebrød "1".txt') =>
    ((await (await upload([['file', text, name]])).json()) as { id: string }).id;

  it('is read, listed and deleted', async () => {
    const id = await given();
    expect(await (await get(`/documents/${id}`)).json()).toMatchObject({
      id,
      status: 'ACCEPTED',
      links: { status: expect.any(String) },
    });
    expect((await (await get('/documents?first=100')).json()).total).toBeGreaterThan(0);
    const deleted = await fetch(`${url}/api/v1/documents/${id}`, { method: 'DELETE', headers: acme });
    expect(deleted.status).toBe(202);
    expect(deleted.headers.get('location')).toBe('/api/v1/jobs/j1');
    expect((await get(`/documents/${id}`)).status).toBe(404);
  });

  it("is not there for another tenant's key", async () => {
    const id = await given();
    const other = { 'x-api-key': KEYS.other };
    for (const path of ['', '/text', '/original', '/events']) {
      const response = await get(`/documents/${id}${path}`, other);
      expect(response.status).toBe(404);
      expect(await codeOf(response)).toBe('NOT_FOUND');
    }
  });

  it('gives its text, and its bytes as an attachment that no browser runs', async () => {
    const id = await given();
    const plain = await get(`/documents/${id}/text`);
    expect(plain.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await plain.text()).toBe('Grød, æbler og øl');
    const original = await get(`/documents/${id}/original`);
    expect(original.headers.get('content-disposition')).toBe(
      `attachment; filename="Sm_rrebr_d _1_.txt"; filename*=UTF-8''Sm%C3%B8rrebr%C3%B8d%20%221%22.txt`,
    );
    expect(original.headers.get('content-security-policy')).toContain('sandbox');
    expect(original.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await original.text()).toBe('Grød, æbler og øl');
  });

  it('gives a range of its bytes', async () => {
    const id = await given('0123456789');
    const part = async (range: string) => {
      const response = await get(`/documents/${id}/original`, { ...acme, range });
      return [response.status, response.headers.get('content-range'), await response.text()];
    };
    expect(await part('bytes=2-4')).toEqual([206, 'bytes 2-4/10', '234']);
    expect(await part('bytes=7-')).toEqual([206, 'bytes 7-9/10', '789']);
    expect(await part('bytes=-2')).toEqual([206, 'bytes 8-9/10', '89']);
    expect(await part('bytes=99-')).toEqual([416, 'bytes */10', '']);
    expect(await part('lines=1-2')).toEqual([200, null, '0123456789']);
  });

  it('turns a refused mutation into a problem of its code', async () => {
    const id = await given();
    const response = await fetch(`${url}/api/v1/documents/${id}/retry`, { method: 'POST', headers: acme });
    expect(response.status).toBe(409);
    expect(await response.json()).toMatchObject({ code: 'CONFLICT', next: 'Wait until it is READY.' });
  });
});

describe('a question', () => {
  it('is answered with paragraphs, scores and citations', async () => {
    const body = await (await get('/query?query=When%3F&n=3')).json();
    expect(body).toMatchObject({
      query: 'When?',
      answer: 'It is Friday [1].',
      found: true,
      scores: [1],
      paragraphs: [{ id: 'p1', text: 'The deadline is Friday.', page: 3, score: 1, relevance: 0.8 }],
      citations: [{ marker: 1, paragraph: { id: 'p1' } }],
    });
  });

  it('is refused with the code of the service, or for its form', async () => {
    const empty = await get('/search?query=');
    expect([empty.status, await codeOf(empty)]).toEqual([400, 'QUERY_EMPTY']);
    for (const wrong of ['/search', '/search?query=x&n=0', '/query?query=x&n=101', '/search?query=x&colour=red']) {
      const response = await get(wrong);
      expect([response.status, await codeOf(response)]).toEqual([400, 'INPUT_INVALID']);
    }
  });
});

describe('what is asked of paragraphs and answers', () => {
  const post = (path: string, body: unknown) =>
    fetch(`${url}/api/v1${path}`, {
      method: 'POST',
      headers: { ...acme, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  it('gives more like a paragraph', async () => {
    const found = await get('/paragraphs/p0/similar?n=3');
    expect(await found.json()).toMatchObject({
      paragraphs: [{ id: 'p1', duplicates: [], highlights: [{ start: 4 }] }],
    });
    const gone = await get('/paragraphs/p9/similar');
    expect([gone.status, await codeOf(gone)]).toEqual([404, 'NOT_FOUND']);
  });

  it('grades a paragraph, or an answer', async () => {
    const paragraph = await post('/judge', { query: 'When?', paragraph: 'p1' });
    expect([paragraph.status, await paragraph.json()]).toEqual([200, expect.objectContaining({ grade: 8 })]);
    const answer = await post('/judge', { query: 'When?', answer: 'Friday.', sources: ['p1'] });
    expect(await answer.json()).toMatchObject({ grade: 3, reason: 'It says little.' });
  });

  it('sums documents up', async () => {
    const summary = await post('/summary', { points: 3, filter: { documents: ['d1'] } });
    expect([summary.status, await summary.json()]).toMatchObject([
      200,
      { points: [{ text: '3 points [1].' }], documents: 1 },
    ]);
  });

  it.each([
    ['/judge', { query: 'When?' }],
    ['/judge', { query: 'When?', paragraph: 'p1', answer: 'Friday.', sources: ['p1'] }],
    ['/judge', { query: 'When?', answer: 'Friday.' }],
    ['/summary', { points: 21 }],
  ])('refuses a bad body for %s: %j', async (path, body) => {
    const refused = await post(path, body);
    expect([refused.status, await codeOf(refused)]).toEqual([400, 'INPUT_INVALID']);
  });

  it('groups a search by document', async () => {
    const { groups, paragraphs } = await (
      await get('/search?query=when&groupBy=document&perGroup=2&diversity=0.3')
    ).json();
    expect([groups, paragraphs.length]).toEqual([null, 1]); // the stand-in groups nothing
    expect(await codeOf(await get('/search?query=when&groupBy=page'))).toBe('INPUT_INVALID');
  });
});
