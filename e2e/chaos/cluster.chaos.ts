import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Cluster, startCluster } from '@postmaster/cluster';
import { type ModelServer, seeded, startModelServer } from '@postmaster/testing';
import { clientOf } from '../client.js';
import { temporaryFolder } from '../server-process.js';
import { ingestOf, PARAGRAPHS } from './ingest.js';
import { searchLoad } from './search-load.js';
import { type Collector, startCollector } from './collector.js';
import { burst, endBurst, settled, waiting } from './jobs.js';
import { deliverAgain } from './deliver-again.js';
import { attemptsSpent, readStored } from './stored.js';
import { victimsOf } from './victims.js';

/** `CHAOS=full` is for the hand: 1,000 paragraphs, 100 kills, outages of ten minutes. */
const FULL = process.env.CHAOS === 'full';
const DOCUMENTS = FULL ? 100 : 12;
const KILLS = FULL ? 100 : 10;
const OUTAGE_MS = FULL ? 600_000 : 12_000;
const WITHIN_MS = 240_000;
const CONCURRENCY = 4;

const folder = temporaryFolder();
const random = seeded(Number(process.env.SEED ?? 20261121));
const SAID = {
  nats: /NATS at .* does not answer/,
  postgres: /Postgres at .* does not answer/,
  qdrant: /the vector store: /,
};
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('a cluster', () => {
  let model: ModelServer;
  let collector: Collector;
  let cluster: Cluster;
  let documents = 0;
  /** Every facet call that was answered, by the paragraph: what is in here twice was paid twice. */
  const paidTwice = (): number => model.paragraphs.length - new Set(model.paragraphs).size;
  const ingest = (name: string, count: number) => {
    documents += count;
    return ingestOf(cluster, name, count);
  };
  const client = () => clientOf(cluster, cluster.key);
  const expectAllThere = async (): Promise<void> => {
    const paragraphs = documents * PARAGRAPHS;
    const whole = { paragraphs, enriched: paragraphs, points: paragraphs, incomplete: 0, deadLetters: [] };
    expect(await readStored(cluster)).toEqual(whole);
  };

  beforeAll(async () => {
    model = await startModelServer({ latencyMs: 60 });
    collector = await startCollector();
    const blobs = join(folder.path, 'blobs'); // in NATS they would go with its data
    mkdirSync(blobs);
    cluster = await startCluster({
      folder: folder.path,
      env: {
        ENCODER_THREADS: '1',
        SHUTDOWN_NOTICE_MS: '300',
        LOG_LEVEL: process.env.CHAOS_LOG ?? 'warn',
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      },
      envOf: {
        ingestion: { BLOBS_URL: pathToFileURL(blobs).href },
        enrichment: {
          LLM_PROVIDER: 'openai',
          LLM_URL: `${model.url}/v1`,
          LLM_MODEL: 'stand-in',
          LLM_API_KEY: 'secret-of-the-test',
          LLM_CONCURRENCY: String(CONCURRENCY),
        },
        gateway: { KEY_CACHE_MS: '0' },
      },
    });
  }, 180_000);
  afterAll(async () => {
    await cluster?.stop();
    await model?.close();
    await collector?.close();
    folder.remove();
  }, 60_000);

  it(
    `loses and doubles nothing, whatever is killed when (${KILLS} kills), and pays for nothing but what was in flight`,
    async () => {
      const began = ingest('k', DOCUMENTS);
      const victims = victimsOf(cluster);
      let mayBePaidTwice = 0;
      const kills: string[] = [];
      const sending = (async () => {
        for (let i = 0; i < 40; i++) {
          await began.send();
          await pause(250);
        }
      })();
      for (let i = 0; i < KILLS; i++) {
        await pause(random() * 1_500);
        const victim = victims[Math.floor(random() * victims.length)];
        if (!victim) throw new Error('Nobody was chosen.');
        if (victim.name === 'enrichment') mayBePaidTwice += CONCURRENCY;
        if (victim.name === 'postgres') mayBePaidTwice += 2 * CONCURRENCY;
        kills.push(victim.name);
        await victim.kill();
        await pause(random() * 500);
        if (victim.name === 'nats' && kills.filter((one) => one === 'nats').length === 1) {
          await cluster.neighbours.nats.wipe(); // its data, too
        } else await victim.restart();
      }
      await sending;
      await began.finish(WITHIN_MS);
      await expectAllThere();
      expect(paidTwice()).toBeLessThanOrEqual(mayBePaidTwice);
    },
    KILLS * 10_000 + 2 * WITHIN_MS,
  );

  it(
    'is searched without a failed request while replicas are restarted one by one, and restarts cost nothing',
    async () => {
      const before = paidTwice();
      const began = ingest('r', FULL ? 40 : 8);
      await began.send();
      const load = searchLoad(cluster, 2);
      let spent = 0;
      for (const replica of cluster.replicas) {
        expect(await cluster.end(replica, 'SIGTERM')).toBe(0);
        spent = Math.max(spent, await attemptsSpent(cluster));
        await cluster.start(replica);
      }
      const { asked, failed } = await load.stop();
      await began.finish(WITHIN_MS);
      expect(failed).toEqual([]);
      expect(asked).toBeGreaterThan(20);
      expect(spent).toBe(0);
      expect(paidTwice()).toBe(before);
      await expectAllThere();
    },
    3 * WITHIN_MS,
  );

  it.each([
    ['nats', () => cluster.neighbours.nats.kill(), () => cluster.neighbours.nats.restart()],
    ['qdrant', () => cluster.neighbours.qdrant.kill(), () => cluster.neighbours.qdrant.restart()],
    [
      'the model',
      () => Promise.resolve((model.behaviour.fault = { kind: 'status', status: 503 })),
      () => Promise.resolve((model.behaviour.fault = undefined)),
    ],
  ] as [string, () => Promise<unknown>, () => Promise<unknown>][])(
    'goes on by itself after an outage of %s, with no dead letter',
    async (name, kill, restart) => {
      await kill();
      const began = ingest(`o-${name.replaceAll(' ', '-')}`, 4);
      await began.send();
      await pause(OUTAGE_MS);
      await restart();
      await began.finish(WITHIN_MS);
      await expectAllThere();
    },
    OUTAGE_MS + WITHIN_MS + 60_000,
  );

  it('an event that is delivered 100 times has one effect and is paid for once', async () => {
    await ingest('again', 1).finish(WITHIN_MS);
    const before = { stored: await readStored(cluster), calls: model.paragraphs.length };
    expect(await deliverAgain(cluster, 'paragraphs.parsed', 100)).toBe(100);
    expect(await deliverAgain(cluster, 'paragraphs.enriched', 100)).toBe(100);
    await settled(cluster, 60_000);
    expect({ stored: await readStored(cluster), calls: model.paragraphs.length }).toEqual(before);
  }, 120_000);

  it(
    'a burst of 30,000 bulk jobs of one tenant holds up no other by more than 5 s',
    async () => {
      const searchable = async (name: string): Promise<number> => {
        const began = Date.now();
        const one = ingest(name, 1);
        await one.send();
        await one.reach('SEARCHABLE', WITHIN_MS);
        return Date.now() - began;
      };
      const idle = await searchable('idle');
      await burst(cluster, 'burst-tenant', 30_000);
      const meanwhile = await searchable('meanwhile');
      expect(await waiting(cluster)).toBeGreaterThan(1_000); // it was a burst until then
      expect(meanwhile - idle).toBeLessThan(5_000);
      await endBurst(cluster, 'burst-tenant');
      await settled(cluster, WITHIN_MS);
      await expectAllThere();
    },
    2 * WITHIN_MS,
  );

  it.each(['nats', 'postgres', 'qdrant'] as const)(
    'starts without %s, says so, and is there within 30 s of its return',
    async (name) => {
      await cluster.neighbours[name].kill();
      const away = cluster.replicas.filter(({ number }) => number === 1);
      await Promise.all(away.map((replica) => cluster.end(replica)));
      const starting = Promise.all(away.map((replica) => cluster.start(replica)));
      starting.catch(() => undefined); // it is awaited below
      await pause(8_000);
      await cluster.neighbours[name].restart();
      const back = Date.now();
      await starting;
      await ingest(`start-${name}`, 1).finish(WITHIN_MS);
      expect(Date.now() - back).toBeLessThan(30_000);
      expect(away.map((replica) => replica.output()).join('')).toMatch(SAID[name]);
    },
    2 * WITHIN_MS,
  );

  it.each([
    ['a refused password at NATS', 'tenants', { NATS_PASSWORD: 'wrong' }, /BUS_REFUSED/],
    ['a database that is not there', 'tenants', { DATABASE_URL: 'wrong' }, /CONFIG_INVALID: Postgres at .* refuses/],
    ['a bucket that is no bucket', 'ingestion', { BLOBS_URL: 'nats:not,one' }, /CONFIG_INVALID/],
  ] as const)(
    'ends at once, and says why, for %s',
    async (_what, service, env, why) => {
      const url = cluster.neighbours.rowsUrl.replace(/[^/]+$/, 'nothing-of-that-name');
      await expect(cluster.add(service, 'DATABASE_URL' in env ? { DATABASE_URL: url } : env)).rejects.toThrow(why);
    },
    60_000,
  );

  it(
    'encodes questions, or indexes, by replicas of their own where that is configured',
    async () => {
      const search = () => client().graphql(`{ search(query: "Who built the lighthouse k0-1?") { tookMs } }`);
      const both = cluster.replicas.filter(({ service }) => service === 'embedding');
      const bulk = await cluster.add('embedding', { EMBEDDING_ROLE: 'bulk' });
      await Promise.all(both.map((replica) => cluster.end(replica, 'SIGTERM')));
      await ingest('by-bulk', 1).finish(WITHIN_MS);
      expect((await search()).errors?.[0]?.extensions.code).toBe('SERVICE_UNAVAILABLE');
      const query = await cluster.add('embedding', { EMBEDDING_ROLE: 'query' });
      expect((await search()).errors).toBeUndefined();
      for (const replica of [bulk, query]) await cluster.remove(replica);
      await Promise.all(both.map((replica) => cluster.start(replica)));
    },
    2 * WITHIN_MS,
  );

  it(
    "a document's whole way is one trace, through every service, and so is a search",
    async () => {
      collector.forget();
      await ingest('traced', 1).finish(WITHIN_MS);
      await client().ask(`{ search(query: "Who built the lighthouse traced0-1?") { tookMs } }`);
      await pause(3_000); // spans are sent every two seconds
      const way = collector.traceOf('gateway', 'POST /api/v1/documents');
      expect([...new Set(way.map(({ service }) => service))].sort()).toEqual([
        ...['embedding', 'enrichment', 'gateway', 'ingestion', 'tenants'],
      ]);
      const names = way.map(({ name }) => name);
      for (const step of [
        /^blobs\.put/,
        /^parser\./,
        /^handle enrichment\./,
        /^model\./,
        /^handle embedding\./,
        /^store\.put/,
      ])
        expect(names).toContainEqual(expect.stringMatching(step));
      const search = collector.traceOf('retrieval', 'store.candidates');
      expect([...new Set(search.map(({ service }) => service))].sort()).toEqual(
        expect.arrayContaining(['embedding', 'gateway', 'retrieval']),
      );
    },
    WITHIN_MS,
  );

  it('keeps its secrets out of what processes say', () => {
    const said = [cluster.gateway, ...cluster.replicas].map((one) => one.output()).join('\n');
    for (const secret of ['secret-of-the-test', cluster.key, cluster.operatorKey, cluster.identitySecret])
      expect(said).not.toContain(secret);
  });
});
