// Files that need no server of their own share one, which starts when the first of them asks: joinServer.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sharedPlace } from './shared-place.mjs';

const MAIN = fileURLToPath(new URL('../apps/standalone/dist/main.js', import.meta.url));
const START_WITHIN_MS = 120_000;

/** Before all tests; what it gives runs after them. */
export default async () => {
  const { kept, files, env, remove } = sharedPlace();
  const data = join(kept, 'data');
  const start = async () => {
    const { startServing } = await import('@postmaster/testing');
    return startServing({
      ...{ main: MAIN, cwd: kept, startWithinMs: START_WITHIN_MS },
      env: { HOME: kept, PORT: '0', POSTMASTER_DATA: data, LOG_LEVEL: 'warn', ...env },
    });
  };
  let running;
  const starter = createServer((_, response) => {
    running ??= start();
    running.then(
      ({ url }) => response.end(url),
      (error) => response.writeHead(500).end(String(error)),
    );
  }).listen(0, '127.0.0.1');
  await once(starter, 'listening');
  process.env.E2E_SHARED = JSON.stringify({
    ...{ starter: `http://127.0.0.1:${starter.address().port}`, kept: data, files, env },
  });
  return async () => {
    starter.close();
    const server = await running?.catch(() => undefined); // its files have told why it did not start
    await server?.end();
    remove();
  };
};
