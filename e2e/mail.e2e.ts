import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signatureOf } from '@postmaster/gateway';
import { sampleDocx, sampleMail, samplePdf, zipArchive } from '@postmaster/testing';
import { type Client, clientOf, follow } from './client.js';
import { joinServer } from './joined-server.js';
import { type ServerProcess, temporaryFolder } from './server-process.js';

const SECRET = 'the secret of the webhook';
const folder = temporaryFolder();
let server: ServerProcess;
let client: Client;
let id: string;

interface Found {
  id: string;
  title: string;
  status: string;
  contentType: string;
  sourceId: string;
  metadata: Record<string, unknown>;
}

const attachments = async (): Promise<Found[]> => {
  const response = await client.get(
    `/api/v1/documents?sourceType=attachment&sourceIdPrefix=${id}/&orderBy=TITLE_A_TO_Z`,
  );
  return ((await response.json()) as { documents: Found[] }).documents;
};
const until = async (holds: () => Promise<boolean>): Promise<void> => {
  const end = Date.now() + 60_000;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error('It did not come to be.');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};
const search = async (query: string): Promise<(string | undefined)[]> => {
  const { search: found } = await client.ask<{
    search: { hits: { paragraph: { document: { id: string } | null } }[] };
  }>(`query($query: String!) { search(query: $query) { hits { paragraph { document { id } } } } }`, { query });
  return found.hits.map((hit) => hit.paragraph.document?.id);
};

const MAIL = sampleMail(
  { Subject: 'Plans of the harbour', 'Message-ID': '<plans@example.org>', Date: 'Tue, 3 Feb 2026 10:02:00 +0100' },
  'The council meets on the quay at noon.\r\n\r\nMed venlig hilsen\r\nAnna Holm\r\nTlf. 12 34 56 78\r\n\r\nOn Mon, 2 Feb 2026 at 09:00, Bo Lund wrote:\r\n> Does anyone know about the walrus?',
  {
    type: 'application/pdf',
    name: 'lighthouse.pdf',
    content: samplePdf([['The lighthouse keeper counted 412 ships in the winter of 1911.']]),
  },
  { type: 'application/octet-stream', name: 'bread.docx', content: sampleDocx(['The rye bread needs forty hours.']) },
  {
    type: 'application/zip',
    name: 'more.zip',
    content: zipArchive({ 'moss.md': 'Sphagnum moss kept peat bogs wet.' }),
  },
  { type: 'image/png', name: 'broken.png', content: 'no picture \u0000\u0001' },
);

const sendMail = (mail: Buffer): Promise<Response> =>
  client.get('/api/v1/mail', {
    method: 'POST',
    headers: {
      'content-type': 'message/rfc822',
      'x-postmaster-signature': signatureOf(SECRET, Math.floor(Date.now() / 1000), mail),
    },
    body: new Uint8Array(mail),
  });

describe('a mail with files, through the front door', () => {
  beforeAll(async () => {
    server = await joinServer(folder.path, { ENCODER_THREADS: '1', MAIL_WEBHOOK_SECRET: SECRET });
    client = clientOf(server, server.key);
    const response = await sendMail(MAIL);
    expect(response.status).toBe(202);
    id = String(((await response.json()) as { id: string }).id);
  }, 180_000);
  afterAll(async () => {
    await server.end();
    folder.remove();
  });

  it('becomes READY, known by its headers, without its history and signature', async () => {
    expect(await follow(client, id)).toMatchObject({ status: 'READY', failure: null, progress: { total: 1 } });
    const read = (await (await client.get(`/api/v1/documents/${id}`)).json()) as Found;
    expect(read).toMatchObject({
      title: 'Plans of the harbour',
      sourceType: 'mail',
      sourceId: '<plans@example.org>',
      contentType: 'message/rfc822',
      createdAt: '2026-02-03T09:02:00.000Z',
      metadata: {
        from: 'Anna Holm <anna@example.org>',
        attachments: 4,
        attachmentNames: 'lighthouse.pdf; bread.docx; more.zip; broken.png',
      },
    });
    expect(await (await client.get(`/api/v1/documents/${id}/text`)).text()).toContain('walrus');
  });

  it('has its files become documents that know it; one that can not be read says so itself', async () => {
    await until(async () => {
      const all = await attachments();
      return all.length === 4 && all.every(({ status }) => status === 'READY' || status === 'FAILED');
    });
    const all = await attachments();
    expect(all.map(({ title, status }) => [title, status])).toEqual([
      ['bread.docx', 'READY'],
      ['broken.png', 'FAILED'],
      ['lighthouse.pdf', 'READY'],
      ['more.zip', 'READY'],
    ]);
    expect(all[2]).toMatchObject({
      sourceId: `${id}/lighthouse.pdf`,
      contentType: 'application/pdf',
      metadata: { parentId: id, parentTitle: 'Plans of the harbour', parentFrom: 'Anna Holm <anna@example.org>' },
    });
  });

  it.each([
    ['When does the council meet on the quay?', undefined],
    ['Who counted 412 ships in the winter?', 'lighthouse.pdf'],
    ['How many hours does the rye bread need?', 'bread.docx'],
  ])('"%s" finds it', async (query, title) => {
    const expected = title === undefined ? id : (await attachments()).find((one) => one.title === title)?.id;
    expect((await search(query))[0]).toBe(expected);
  });

  it('does no work when it comes again', async () => {
    expect(await (await sendMail(MAIL)).json()).toMatchObject({ id, version: 1, unchanged: true });
  });

  it('takes its files with it when it is deleted', async () => {
    expect((await client.get(`/api/v1/documents/${id}`, { method: 'DELETE' })).status).toBe(202);
    await until(async () => (await attachments()).length === 0);
    await until(async () => (await search('Who counted 412 ships in the winter?')).length === 0);
    const moss = await search('What kept peat bogs wet?');
    expect(moss).toEqual([]);
  });
});
