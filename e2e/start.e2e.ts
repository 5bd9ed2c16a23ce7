import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientOf } from './client.js';
import { refusedStart, type ServerProcess, startServer, temporaryFolder } from './server-process.js';

const folder = temporaryFolder();
afterAll(() => folder.remove());

describe('a first start', () => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await startServer(folder.path);
  }, 90_000);
  afterAll(() => server?.end());

  it('keeps its key for its owner alone, and says where it runs', async () => {
    expect(statSync(join(folder.path, 'data', 'api-key')).mode & 0o777).toBe(0o600);
    const note = join(folder.path, '.postmaster', 'server.json');
    expect(JSON.parse(readFileSync(note, 'utf8'))).toMatchObject({ url: server.url });
    expect((await fetch(`${server.url}/health/live`)).status).toBe(200);
    expect((await fetch(`${server.url}/health/ready`)).status).toBe(200);
    expect(await (await fetch(`${server.url}/metrics`)).text()).toContain('postmaster_jobs_total');
    expect(server.output()).not.toContain(server.key);
  });

  it('refuses a second process on the same data, and says where the first runs', async () => {
    const { code, output } = await refusedStart(folder.path, {});
    expect(code).toBe(1);
    expect(output).toContain('DATA_IN_USE');
    expect(output).toContain(server.url);
    expect(output).toContain('→');
  });

  it('takes its note away at its end, and the next has the same key and documents', async () => {
    const { key } = server;
    const { body } = await clientOf(server, key).upload('a.md', 'A text that is here to stay.');
    expect(await server.end('SIGINT')).toBe(0);
    expect(() => readFileSync(join(folder.path, '.postmaster', 'server.json'))).toThrow();
    server = await startServer(folder.path);
    expect(server.key).toBe(key);
    expect((await clientOf(server, key).get(`/api/v1/documents/${String(body.id)}`)).status).toBe(200);
  });
});

describe('a later start', () => {
  it('with a model that is down runs all the same, and says so', async () => {
    const server = await startServer(folder.path, {
      LLM_PROVIDER: 'openai',
      LLM_URL: 'http://127.0.0.1:9/v1',
      LLM_MODEL: 'absent',
      LLM_API_KEY: 'sk-very-secret',
    });
    for (let i = 0; i < 300 && !server.output().includes('MODEL_UNREACHABLE'); i++)
      await new Promise((resolve) => setTimeout(resolve, 100));
    await server.end();
    expect(server.output()).toContain('MODEL_UNREACHABLE');
    expect(server.output()).not.toContain('sk-very-secret');
  });

  it('refuses a port that is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as { port: number };
    const { code, output } = await refusedStart(folder.path, { PORT: String(port) });
    taken.close();
    expect(code).toBe(1);
    expect(output).toMatch(new RegExp(`PORT_TAKEN: .*${port}`));
    expect(output).toContain('→ Set PORT to a free one');
  });

  it('names every wrong variable', async () => {
    const { code, output } = await refusedStart(folder.path, { PORT: 'many', LLM_PROVIDER: 'psychic' });
    expect(code).toBe(1);
    expect(output).toContain('CONFIG_INVALID');
    expect(output).toContain('PORT');
    expect(output).toContain('LLM_PROVIDER');
  });

  it('refuses data of a newer version and leaves them as they are', async () => {
    const file = join(folder.path, 'data', 'postmaster.json');
    writeFileSync(file, JSON.stringify({ format: 99, version: '9.9.9' }));
    const { code, output } = await refusedStart(folder.path, {});
    expect(code).toBe(1);
    expect(output).toContain('DATA_NEWER');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ format: 99, version: '9.9.9' });
  });
});
