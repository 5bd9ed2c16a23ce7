import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KEYS, StandInServices } from '../test/stand-in-services.js';
import type { Gateway } from './index.js';

const services = new StandInServices();
let gateway: Gateway;
let url: string;

beforeAll(async () => {
  gateway = await services.start();
  url = await gateway.listen();
});
afterAll(() => gateway.close());

const cookieOf = (response: Response) => response.headers.get('set-cookie')?.split(';')[0] ?? '';
const signIn = async () => cookieOf(await fetch(gateway.newSignInLink(), { redirect: 'manual' }));
const documents = (headers: Record<string, string>) => fetch(`${url}/api/v1/documents`, { headers });

describe('a sign-in link', () => {
  it('signs a browser in, once, with a cookie that scripts and other sites have not', async () => {
    const link = gateway.newSignInLink();
    const first = await fetch(link, { redirect: 'manual' });
    expect(first.status).toBe(303);
    expect(first.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Strict/);
    expect((await documents({ cookie: cookieOf(first) })).status).toBe(200);
    const second = await fetch(link, { redirect: 'manual' });
    expect(second.status).toBe(401);
    expect(await second.json()).toMatchObject({ code: 'SIGN_IN_LINK_SPENT' });
  });

  it('that was spent shows a browser a page with what to do next', async () => {
    const spent = await fetch(`${url}/sign-in?code=${encodeURIComponent('<script>')}`, {
      headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
    });
    expect([spent.status, spent.headers.get('content-type')]).toEqual([401, expect.stringContaining('text/html')]);
    const html = await spent.text();
    expect(html).toContain('no longer good');
    expect(html).not.toContain('<script');
    for (const [, address] of html.matchAll(/(?:src|href)="([^"]+)"/g))
      expect((await fetch(url + address)).status).toBe(200);
  });

  it('never stands in the log', async () => {
    const link = gateway.newSignInLink();
    await fetch(link, { redirect: 'manual' });
    const code = new URL(link).searchParams.get('code') ?? '';
    expect(services.lines.join('')).not.toContain(code);
  });
});

describe('a session', () => {
  it('changes things only for pages of this server', async () => {
    const cookie = await signIn();
    const ask = (headers: Record<string, string>) =>
      fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { cookie, 'content-type': 'application/json', ...headers },
        body: '{"query":"{ documents { totalCount } }"}',
      });
    expect((await ask({ origin: url })).status).toBe(200);
    expect((await ask({ 'sec-fetch-site': 'same-origin' })).status).toBe(200);
    for (const headers of [
      {},
      { origin: 'http://127.0.0.1:1' },
      { origin: 'null' },
      { 'sec-fetch-site': 'same-site' },
    ]) {
      const response = await ask(headers as Record<string, string>);
      expect([response.status, (await response.json()).errors[0].extensions.code]).toEqual([403, 'ORIGIN_REFUSED']);
    }
  });

  it('is no internal token, and an internal token is no session', async () => {
    const cookie = await signIn();
    const session = cookie.slice(cookie.indexOf('=') + 1);
    await expect(services.seal.open(session)).rejects.toMatchObject({ code: 'IDENTITY_INVALID' });
    const token = await services.seal.sign({ tenant: 'default' as never, subject: 'x', scopes: ['read'] });
    expect((await documents({ cookie: `postmaster_session=${token}` })).status).toBe(401);
  });

  it('that began with a key ends with it', async () => {
    const response = await fetch(`${url}/sign-in`, {
      method: 'POST',
      headers: { 'x-api-key': KEYS.acme, origin: url },
    });
    expect(response.status).toBe(204);
    const cookie = cookieOf(response);
    expect((await documents({ cookie })).status).toBe(200);
    services.revoked.add(KEYS.acme);
    const after = await documents({ cookie });
    services.revoked.clear();
    expect(after.status).toBe(401);
  });
});
