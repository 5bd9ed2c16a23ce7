// With E2E_SERVER=cluster: `npm run cluster` runs, once for all tests, and startServer of every file joins it.
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startServing } from '@postmaster/testing';

const MAIN = fileURLToPath(new URL('../scripts/cluster.mjs', import.meta.url));
const START_WITHIN_MS = 300_000;

/** Before all tests; what it gives runs after them. */
export default async () => {
  const root = mkdtempSync(join(tmpdir(), 'postmaster-e2e-'));
  const kept = join(root, 'kept');
  const [folder, stores, files] = [join(kept, 'cluster'), join(kept, 'stores'), join(root, 'files')];
  for (const path of [folder, stores, files]) mkdirSync(path, { recursive: true });
  chmodSync(root, 0o755); // Postgres runs as another user where this one is root
  /** What tests may ask of a server that they share. */
  const env = {
    ...{ ENCODER_THREADS: '1', POSTMASTER_ADMIN_KEY: 'operators-key-of-the-test' },
    ...{ MAIL_WEBHOOK_SECRET: 'the secret of the webhook', ALLOWED_PRIVATE_HOSTS: '127.0.0.1' },
    ...{ FOLDER_ROOTS: files, FOLDER_RESCAN_SECONDS: '1' },
  };
  const { QDRANT_BINARY, QDRANT_LOCAL, QDRANT_PYTHON } = process.env;
  const qdrant = Object.entries({ QDRANT_BINARY, QDRANT_LOCAL, QDRANT_PYTHON }).filter(([, value]) => value);
  const cluster = await startServing({
    ...{ main: MAIN, args: ['--folder', folder], cwd: folder, startWithinMs: START_WITHIN_MS },
    env: { HOME: folder, TMPDIR: stores, ...Object.fromEntries(qdrant), ...env },
  });
  const said = (name) => new RegExp(`^ +${name} +(\\S+:\\S+)`, 'm').exec(cluster.output())?.[1];
  process.env.E2E_CLUSTER = JSON.stringify({
    ...{ url: cluster.url, kept, files, env },
    ...{ postgresUrl: said('Postgres'), qdrantUrl: said('Qdrant') },
  });
  return async () => {
    await cluster.end();
    rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  };
};
