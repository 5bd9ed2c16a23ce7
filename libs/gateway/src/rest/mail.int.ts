import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleMail } from '@postmaster/testing';
import { KEYS, StandInServices } from '../../test/stand-in-services.js';
import type { Gateway } from '../index.js';
import { signatureOf } from '../mail/signed-body.js';

const SECRET = 'the secret of the webhook';
const LIMIT = 64 * 1024;
const services = new StandInServices();
let gateway: Gateway;
let url: string;

beforeAll(async () => {
  gateway = await services.start({ maxDocumentBytes: LIMIT, mailWebhookSecret: SECRET });
  url = await gateway.listen();
});
afterAll(() => gateway.close());

const MAIL = sampleMail({ Subject: 'Ferry', 'Message-ID': '\r\n <1@example.org>' }, 'We sail at ten.');
const seconds = (): number => Math.floor(Date.now() / 1000);

const send = (body: Buffer, headers: Record<string, string>, type = 'message/rfc822') =>
  fetch(`${url}/api/v1/mail`, {
    method: 'POST',
    headers: { 'x-api-key': KEYS.acme, 'content-type': type, ...headers },
    body: new Uint8Array(body),
  });
const signed = (body: Buffer, at = seconds()) => ({ 'x-postmaster-signature': signatureOf(SECRET, at, body) });
const form = (...lines: string[]): Buffer => Buffer.from(lines.join('\r\n'));

describe('the mail webhook', () => {
  it('takes a signed mail in for the tenant of the key, known by its Message-ID', async () => {
    const response = await send(MAIL, signed(MAIL));
    const body = await response.json();
    expect([response.status, response.headers.get('location')]).toEqual([202, `/api/v1/documents/${body.id}`]);
    expect(body).toMatchObject({ version: 1, unchanged: false, links: { status: expect.any(String) } });
    const file = services.files.get(body.id);
    expect(file).toMatchObject({ tenant: 'acme', fields: { sourceType: 'mail', sourceId: '<1@example.org>' } });
    expect(file?.bytes.equals(MAIL)).toBe(true);
  });

  it('takes it as the file of a form, with fields', async () => {
    const body = form(
      '--x\r\ncontent-disposition: form-data; name="collection"\r\n\r\nmails',
      `--x\r\ncontent-disposition: form-data; name="mail"; filename="m.eml"\r\n\r\n${MAIL}`,
      '--x--\r\n',
    );
    const response = await send(body, signed(body), 'multipart/form-data; boundary=x');
    expect(response.status).toBe(202);
    const { id } = await response.json();
    expect(services.files.get(id)).toMatchObject({ fields: { collection: 'mails', sourceId: '<1@example.org>' } });
  });

  it('takes a mail without a Message-ID by its content', async () => {
    const mail = sampleMail({ Subject: 'x' }, 'Words.');
    const { id } = await (await send(mail, signed(mail))).json();
    expect(services.files.get(id)?.fields).toEqual({ sourceType: 'mail' });
  });

  const other = Buffer.concat([MAIL, Buffer.from('!')]);
  it.each<[what: string, headers: () => Record<string, string>, status: number, code: string]>([
    ['without a signature', () => ({}), 401, 'SIGNATURE_INVALID'],
    ['with what is no signature', () => ({ 'x-postmaster-signature': 'v1=00' }), 401, 'SIGNATURE_INVALID'],
    ['of another mail', () => signed(other), 401, 'SIGNATURE_INVALID'],
    [
      'with another secret',
      () => ({ 'x-postmaster-signature': signatureOf('x', seconds(), MAIL) }),
      401,
      'SIGNATURE_INVALID',
    ],
    ['of six minutes ago', () => signed(MAIL, seconds() - 360), 401, 'SIGNATURE_INVALID'],
    ['of six minutes ahead', () => signed(MAIL, seconds() + 360), 401, 'SIGNATURE_INVALID'],
    ['with a key that may only read', () => ({ ...signed(MAIL), 'x-api-key': KEYS.reader }), 403, 'FORBIDDEN'],
    ['with a key that is none', () => ({ ...signed(MAIL), 'x-api-key': 'pm_none' }), 401, 'KEY_INVALID'],
  ])('refuses a mail %s and keeps nothing of it', async (_what, headers, status, code) => {
    const before = services.files.size;
    const response = await send(MAIL, headers());
    expect([response.status, (await response.json()).code]).toEqual([status, code]);
    expect(services.files.size).toBe(before);
  });

  it('refuses a form whose signature is not its own, and keeps nothing of it', async () => {
    const before = services.files.size;
    const body = form(
      `--x\r\ncontent-disposition: form-data; name="mail"; filename="m.eml"\r\n\r\n${MAIL}`,
      '--x--\r\n',
    );
    const response = await send(body, signed(other), 'multipart/form-data; boundary=x');
    expect([response.status, (await response.json()).code]).toEqual([401, 'SIGNATURE_INVALID']);
    expect(services.files.size).toBe(before);
  });

  it('refuses a mail that is too large', async () => {
    const mail = sampleMail({ Subject: 'x' }, 'x'.repeat(LIMIT));
    const response = await send(mail, signed(mail));
    expect([response.status, (await response.json()).code]).toEqual([413, 'TOO_LARGE']);
  });
});
