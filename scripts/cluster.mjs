// Starts the spread-out topology as plain processes of this machine, and stops it with Ctrl-C: `npm run cluster`.
// Postgres, nats-server, Qdrant or its stand-in, two of each worker, and the gateway; nothing of it is kept.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { missingPrograms, SERVICES, startCluster } from '../libs/cluster/dist/index.js';

const { values } = parseArgs({
  options: { replicas: { type: 'string', default: '2' }, folder: { type: 'string' }, help: { type: 'boolean' } },
});
if (values.help) {
  console.log(`npm run cluster -- [--replicas N] [--folder FOLDER]
  --replicas N     of each service (2)
  --folder FOLDER  for the key and what processes keep; a temporary one, which goes at the end, unless told
Variables as LLM_URL, ENCODER_THREADS and FOLDER_ROOTS reach every process.`);
  process.exit(0);
}

const missing = missingPrograms();
if (missing.length > 0) {
  console.error(
    `\n  A cluster needs what this machine does not have:\n${missing.map((one) => `    · ${one}`).join('\n')}\n`,
  );
  process.exit(1);
}

const PASSED_ON =
  /^(LLM|ENCODER|RERANKER|OTEL|MAX|PARSE|LOG|FOLDER|MAIL|ALLOWED|OCR)_|^POSTMASTER_(ADMIN|SECRETS)_KEY$|^FOLDERS$/;
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => PASSED_ON.test(name)));
const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'postmaster-cluster-'));
let cluster;
let stopping;
const stop = (code) =>
  (stopping ??= (async () => {
    await cluster?.stop();
    if (!values.folder) rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    process.exit(code);
  })());
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    console.log(`\n  Stopping.`);
    if (cluster) void stop(0);
    else process.exitCode = 130; // what is starting is waited for, and ended then
  });

try {
  const count = Number(values.replicas);
  cluster = await startCluster({
    folder,
    env: { ENCODER_THREADS: '1', ...env },
    replicas: Object.fromEntries(SERVICES.map((service) => [service, count])),
    onProgress: (what) => console.log(`  … ${what}`),
  });
  if (process.exitCode === 130) await stop(0);
  const { url, key, operatorKey, neighbours, replicas } = cluster;
  mkdirSync(join(folder, 'data'), { recursive: true });
  writeFileSync(join(folder, 'data', 'api-key'), `${key}\n`, { mode: 0o600 });
  console.log(`
  A cluster of ${replicas.length + 1} processes runs at ${url}
    key of the tenant   ${key}
    operator's key      ${operatorKey}
    Postgres            ${neighbours.postgres.url}
    NATS                ${neighbours.nats.url}
    Qdrant              ${neighbours.qdrant.url}
  Try:  POSTMASTER_URL=${url} POSTMASTER_API_KEY=${key} npx postmaster ingest docs
  Ctrl-C stops it, and nothing is kept.
`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  await stop(1);
}
