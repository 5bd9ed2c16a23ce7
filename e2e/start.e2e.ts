import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { clientOf } from './client.js';
import { refusedStart, type ServerProcess, startServer, temporaryFolder } from './server-process.js';

let folder = temporaryFolder();
let server: ServerProcess | undefined;

describe('a start', () => {
  afterEach(async () => {
    await server?.end();
    server = undefined;
    folder.remove();
    folder = temporaryFolder();
  });

  it('keeps its key for its owner alone, says where it runs, and takes the note away at the end', async () => {
    server = await startServer(folder.path);
    expect(statSync(join(folder.path, 'data', 'api-key')).mode & 0o777).toBe(0o600);
    const note = join(folder.path, '.postmaster', 'server.json');
    expect(JSON.parse(readFileSync(note, 'utf8'))).toMatchObject({ url: server.url });
    expect((await fetch(`${server.url}/health/live`)).status).toBe(200);
    expect((await fetch(`${server.url}/health/ready`)).status).toBe(200);
    expect(await (await fetch(`${server.url}/metrics`)).text()).toContain('postmaster_jobs_total');
    expect(server.output()).not.toContain(server.key);
    expect(await server.end('SIGINT')).toBe(0);
    expect(() => readFileSync(note)).toThrow();
  });

  it('comes back with the same key and documents', async () => {
    server = await startServer(folder.path);
    const { key } = server;
    const { body } = await clientOf(server, key).upload('a.md', 'A text that is here to stay.');
    await server.end();
    server = await startServer(folder.path);
    expect(server.key).toBe(key);
    expect((await clientOf(server, key).get(`/api/v1/documents/${String(body.id)}`)).status).toBe(200);
  });

  it('refuses a second process on the same data, and says where the first runs', async () => {
    server = await startServer(folder.path);
    const { code, output } = await refusedStart(folder.path, {});
    expect(code).toBe(1);
    expect(output).toContain('DATA_IN_USE');
    expect(output).toContain(server.url);
    expect(output).toContain('→');
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

  it('refuses data of a newer version and leaves them as they are', async () => {
    const file = join(folder.path, 'data', 'postmaster.json');
    mkdirSync(join(folder.path, 'data'));
    writeFileSync(file, JSON.stringify({ format: 99, version: '9.9.9' }));
    const { code, output } = await refusedStart(folder.path, {});
    expect(code).toBe(1);
    expect(output).toContain('DATA_NEWER');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ format: 99, version: '9.9.9' });
  });

  it('names every wrong variable', async () => {
    const { code, output } = await refusedStart(folder.path, { PORT: 'many', LLM_PROVIDER: 'psychic' });
    expect(code).toBe(1);
    expect(output).toContain('CONFIG_INVALID');
    expect(output).toContain('PORT');
    expect(output).toContain('LLM_PROVIDER');
  });

  it('with a model that is down runs all the same, and says so', async () => {
    server = await startServer(folder.path, {
      LLM_PROVIDER: 'openai',
      LLM_URL: 'http://127.0.0.1:9/v1',
      LLM_MODEL: 'absent',
      LLM_API_KEY: 'sk-very-secret',
    });
    for (let i = 0; i < 300 && !server.output().includes('MODEL_UNREACHABLE'); i++)
      await new Promise((resolve) => setTimeout(resolve, 100));
    expect(server.output()).toContain('MODEL_UNREACHABLE');
    expect(server.output()).not.toContain('sk-very-secret');
  });
});
