// With E2E_SERVER=cluster: `npm run cluster` runs, once for all tests, and startServer of every file joins it.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startServing } from '@postmaster/testing';
import { sharedPlace } from './shared-place.mjs';

const MAIN = fileURLToPath(new URL('../scripts/cluster.mjs', import.meta.url));
const START_WITHIN_MS = 300_000;

/** Before all tests; what it gives runs after them. */
export default async () => {
  const { kept, files, env, remove } = sharedPlace();
  const [folder, stores] = [join(kept, 'cluster'), join(kept, 'stores')];
  for (const path of [folder, stores]) mkdirSync(path);
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
    remove();
  };
};
