import { access, constants } from 'node:fs/promises';
import { check } from './check.js';
import { replicasOf } from './connections.js';
import { fail, type Finding, ok, type Verdict, warn } from './finding.js';
import { listed } from './figures.js';
import type { Patient } from './patient.js';

const SERVICE_URLS = ['TENANTS_URL', 'INGESTION_URL', 'ENRICHMENT_URL', 'EMBEDDING_URL', 'RETRIEVAL_URL'] as const;
const FILES = ['NATS_CREDENTIALS', 'SUPERGRAPH_PATH'] as const;

/** Whether every variable can be read, which way of running they mean, and whether they agree with each other. */
export const examineConfiguration = async (patient: Patient): Promise<Finding[]> => {
  const files = await Promise.all(FILES.map((name) => fileVerdict(name, patient.config[name])));
  const verdicts = [modeVerdict(patient), ...formVerdicts(patient), ...contradictions(patient), ...files.flat()];
  return Promise.all(verdicts.map((verdict) => check('configuration', patient.limitMs, () => verdict)));
};

const modeVerdict = ({ mode, environment, data }: Patient): Verdict => {
  if (mode === 'embedded')
    return ok(
      `All in one process (embedded), with its data in ${data}: neither Postgres, NATS nor Qdrant is configured.`,
    );
  const there = [
    ...(environment.DATABASE_URL ? ['Postgres'] : []),
    ...(environment.NATS_URL ? ['NATS'] : []),
    ...(environment.QDRANT_URL ? ['Qdrant'] : []),
  ];
  return ok(`Services apart${there.length > 0 ? `, on ${listed(there)}` : ''}.`);
};

const formVerdicts = ({ wrong }: Patient): Verdict[] =>
  [...wrong].map(([name, complaint]) => fail(complaint, `Correct ${name}, or take it away.`));

/** What each variable alone can't show. Pure. */
export const contradictions = (patient: Patient): Verdict[] => [
  ...(patient.mode === 'spread' ? spreadVerdicts(patient) : []),
  ...pairVerdicts(patient),
  ...unreadVerdicts(patient),
  ...exampleVerdicts(patient),
];

const spreadVerdicts = (patient: Patient): Verdict[] => {
  const { environment: env, config, wrong } = patient;
  const verdicts: Verdict[] = [];
  if (!env.POSTMASTER_IDENTITY_SECRET)
    verdicts.push(
      fail(
        'POSTMASTER_IDENTITY_SECRET is not set: services apart refuse to start without it.',
        'Set the same secret for every process, at least 32 characters: openssl rand -hex 24.',
      ),
    );
  if (!env.NATS_URL)
    verdicts.push(
      warn(
        'NATS_URL is not set: services apart hear nothing of each other without it.',
        'Set NATS_URL, or take DATABASE_URL, QDRANT_URL and the services’ addresses away to run in one process.',
      ),
    );
  if (env.NATS_URL && !env.DATABASE_URL)
    verdicts.push(
      warn(
        'NATS_URL is set and DATABASE_URL is not: gateway and retrieval run so; any other service would keep rows of its own that no replica shares.',
        'Set DATABASE_URL for tenants, ingestion, enrichment and embedding.',
      ),
    );
  if (env.NATS_URL && !env.QDRANT_URL)
    verdicts.push(
      warn(
        'NATS_URL is set and QDRANT_URL is not: embedding and retrieval need it, because vectors in a folder are one process’s alone.',
        'Set QDRANT_URL for embedding and retrieval.',
      ),
    );
  const readers = replicasOf(patient, 'ingestion');
  if (!wrong.has('BLOBS_URL') && (config.BLOBS_URL ?? 'file:').startsWith('file:') && readers > 1)
    verdicts.push(
      warn(
        `Documents’ bytes lie in a folder${config.BLOBS_URL ? '' : ' of the data (BLOBS_URL is not set)'}, and ingestion may have ${readers} replicas: one on another machine does not find what this one stored.`,
        'Set BLOBS_URL to nats:postmaster-blobs or s3://<bucket>, or share the folder; say fewer with --replicas ingestion=1.',
      ),
    );
  const missing = SERVICE_URLS.filter((name) => !env[name]);
  if (missing.length > 0 && missing.length < SERVICE_URLS.length)
    verdicts.push(
      warn(
        `${listed(missing)} ${missing.length === 1 ? 'is' : 'are'} not set: the gateway answers for ${missing.length === 1 ? 'it' : 'them'} with SERVICE_UNAVAILABLE.`,
        'Set the addresses of all five services.',
      ),
    );
  if (config.QDRANT_WRITE_CONSISTENCY > config.QDRANT_REPLICATION)
    verdicts.push(
      fail(
        `QDRANT_WRITE_CONSISTENCY is ${config.QDRANT_WRITE_CONSISTENCY} and QDRANT_REPLICATION is ${config.QDRANT_REPLICATION}: a write waits for copies that there are none of.`,
        'Lower QDRANT_WRITE_CONSISTENCY, or raise QDRANT_REPLICATION.',
      ),
    );
  return verdicts;
};

const PAIRS = [
  ['NATS_USER', 'NATS_PASSWORD'],
  ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
] as const;

const pairVerdicts = ({ environment: env }: Patient): Verdict[] =>
  PAIRS.flatMap(([one, other]) => {
    if (!env[one] === !env[other]) return [];
    const [there, missing] = env[one] ? [one, other] : [other, one];
    return [fail(`${there} is set and ${missing} is not.`, `Set ${missing} too, or take ${there} away.`)];
  });

/** Variables that count only with another one. */
const unreadVerdicts = ({ environment: env }: Patient): Verdict[] =>
  (['LLM', 'ENCODER', 'RERANKER'] as const).flatMap((kind) => {
    const set = ['URL', 'MODEL', 'API_KEY'].map((one) => `${kind}_${one}`).filter((name) => env[name]);
    if (set.length === 0 || (env[`${kind}_PROVIDER`] ?? 'minilm') !== 'minilm') return [];
    const verb = set.length === 1 ? 'is' : 'are';
    return [
      warn(
        `${listed(set)} ${verb} set and not read, because ${kind}_PROVIDER names no server.`,
        `Set ${kind}_PROVIDER to ${kind === 'RERANKER' ? 'cohere, jina or tei' : 'openai or ollama'}.`,
      ),
    ];
  });

/** deploy/example.env's own values, which anyone can read. */
const exampleVerdicts = ({ environment }: Patient): Verdict[] => {
  const fake = Object.keys(environment).filter(
    (name) => /KEY$|SECRET|PASSWORD|URL$/.test(name) && /(^|:)fake-/.test(environment[name] ?? ''),
  );
  if (fake.length === 0) return [];
  return [
    warn(
      `${listed(fake)} still ${fake.length === 1 ? 'has the value' : 'have the values'} of deploy/example.env, which anyone can read.`,
      'Make secrets of your own: docs/operations.md has the command.',
    ),
  ];
};

const fileVerdict = async (name: (typeof FILES)[number], path: string | undefined): Promise<Verdict[]> => {
  if (!path) return [];
  try {
    await access(path, constants.R_OK);
    return [];
  } catch {
    return [
      fail(`${name} names ${path}, which can not be read.`, `Correct ${name}, or give this user the right to read it.`),
    ];
  }
};
