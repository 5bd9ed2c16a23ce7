import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runIn } from '../../test/run-in.js';
import { KEY, startStandIn } from '../../test/stand-in-gateway.js';
import { findServer } from './find-server.js';

describe('finding the server', () => {
  let home: string;
  const noteServer = async (url: string, key?: string): Promise<void> => {
    await mkdir(join(home, '.postmaster'), { recursive: true });
    await mkdir(join(home, 'data'), { recursive: true });
    const note = { url, data: join(home, 'data'), pid: 4711 };
    await writeFile(join(home, '.postmaster', 'server.json'), JSON.stringify(note));
    if (key) await writeFile(join(home, 'data', 'api-key'), `${key}\n`);
  };

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'postmaster-home-'));
  });
  afterEach(() => rm(home, { recursive: true, force: true }));

  it('takes the address from the note and the key from its data folder', async () => {
    await noteServer('http://127.0.0.1:4321', 'secret');
    expect(await findServer({ env: {}, home })).toMatchObject({ url: 'http://127.0.0.1:4321', key: 'secret' });
  });

  it('goes by POSTMASTER_URL before the note, and sends a noted key to no other address', async () => {
    await noteServer('http://127.0.0.1:4321', 'secret');
    const elsewhere = await findServer({ env: { POSTMASTER_URL: 'https://search.example.org/' }, home });
    expect(elsewhere).toMatchObject({ url: 'https://search.example.org', key: undefined });
    const same = await findServer({ env: { POSTMASTER_URL: 'http://127.0.0.1:4321' }, home });
    expect(same.key).toBe('secret');
  });

  it('goes by POSTMASTER_API_KEY before the data folder', async () => {
    await noteServer('http://127.0.0.1:4321', 'secret');
    expect((await findServer({ env: { POSTMASTER_API_KEY: 'mine' }, home })).key).toBe('mine');
  });

  it('ends with 3 and says how to start one where no server is noted', async () => {
    const ran = await runIn(['status'], { home });
    expect(ran.exitCode).toBe(3);
    expect(ran.stderr).toMatch(/^NO_SERVER: No server runs here.*\n→ Start a server: `npm start`/);
  });

  it('ends with 3 where the noted server is gone', async () => {
    const server = await startStandIn();
    await noteServer(server.url, KEY);
    await server.close();
    const ran = await runIn(['documents'], { home });
    expect(ran.exitCode).toBe(3);
    expect(ran.stderr).toContain('(process 4711) does not answer any more.\n→ Start a server: `npm start`');
  });

  it('takes a note that can not be read for none', async () => {
    await noteServer('http://127.0.0.1:4321');
    await writeFile(join(home, '.postmaster', 'server.json'), '{"url":');
    expect((await runIn(['status'], { home })).exitCode).toBe(3);
  });

  it('refuses a POSTMASTER_URL that is no address as wrong usage', async () => {
    expect((await runIn(['status'], { home, env: { POSTMASTER_URL: 'localhost' } })).exitCode).toBe(2);
  });
});
