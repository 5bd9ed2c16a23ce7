import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EventType, subjectOf, TenantId, WORK } from '@postmaster/contracts';
import { type NatsServer, natsServerBinary, startNats } from '@postmaster/testing';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { readText, ROOT } from './repository.js';

const USERS = ['gateway', 'tenants', 'ingestion', 'enrichment', 'embedding', 'retrieval'] as const;
const TENANT = TenantId.parse('acme');
/** Who tells what; the code is the truth, see `publish(` in each service. */
const TOLD: Record<keyof typeof WORK, (typeof USERS)[number][]> = {
  'paragraphs.parsed': ['ingestion'],
  'paragraphs.enriched': ['enrichment'],
  'paragraphs.indexed': ['embedding'],
  'paragraphs.failed': ['enrichment', 'embedding'],
  'metadata.extracted': ['enrichment'],
  'summary.made': ['enrichment'],
  'version.activated': ['ingestion'],
  'document.deleted': ['ingestion'],
  'document.forgotten': ['enrichment', 'embedding', 'retrieval'],
  'document.progressed': ['ingestion'],
  'model.called': ['enrichment', 'retrieval'],
  'facets.wanted': ['ingestion'],
};
const passwordOf = (user: string): string => `s0e1${user.toUpperCase()}2f`; // as the command in docs/operations.md makes them

const variables = Object.fromEntries(USERS.map((user) => [`NATS_PASSWORD_${user.toUpperCase()}`, passwordOf(user)]));

/** The configuration with its passwords as variables of its own, and without what the test's server is told itself. */
const inOneFile = (): string =>
  [
    ...Object.entries(variables).map(([name, value]) => `${name}: ${value}`),
    readText('deploy/nats/nats.conf')
      .replace('include ./users.conf', readText('deploy/nats/users.conf'))
      .replace(/^http: .*$/m, '')
      .replace(/^jetstream \{[^}]*\}/m, ''),
  ].join('\n');

(natsServerBinary() ? describe : describe.skip)('users of NATS', () => {
  let server: NatsServer;
  let folder: string;
  const connections = new Map<string, NatsConnection>();
  const refusals = new Map<string, string[]>();
  const as = (user: string): NatsConnection => {
    const connection = connections.get(user);
    if (!connection) throw new Error(`${user} is not signed in.`);
    return connection;
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'postmaster-nats-users-'));
    await writeFile(join(folder, 'nats.conf'), inOneFile());
    server = await startNats({ args: ['-c', join(folder, 'nats.conf')] });
    for (const user of USERS) {
      const connection = await connect({ servers: server.url, user, pass: passwordOf(user) });
      connections.set(user, connection);
      refusals.set(user, []);
      void (async () => {
        for await (const { type, ...rest } of connection.status())
          if (type === 'error')
            refusals.get(user)?.push(JSON.stringify(rest) + String((rest as { error: Error }).error));
      })();
    }
  });
  afterAll(async () => {
    await Promise.all([...connections.values()].map((one) => one.close()));
    await server.stop();
    await rm(folder, { recursive: true });
  });

  const mayPublish = async (user: string, subject: string): Promise<boolean> => {
    as(user).publish(subject, '{}');
    await as(user).flush(); // a refusal comes before the answer to this
    await new Promise((resolve) => setTimeout(resolve, 5));
    return !refusals.get(user)?.some((said) => said.includes(subject));
  };

  it.each(Object.entries(TOLD))('%s is told by %s and by nobody else', async (type, tellers) => {
    const subject = subjectOf(type as EventType, TENANT);
    for (const user of USERS) expect([user, await mayPublish(user, subject)]).toEqual([user, tellers.includes(user)]);
  });

  it('are in a configuration that the server takes, with passwords from the environment', () => {
    const check = (env: Record<string, string>) =>
      execFileSync(natsServerBinary() ?? '', ['-t', '-c', join(ROOT, 'deploy/nats/nats.conf')], { env, stdio: 'pipe' });
    expect(() => check(variables)).not.toThrow();
    expect(() => check({})).toThrow(/NATS_PASSWORD_GATEWAY/);
  });

  it('know of every event between services', () => {
    expect(Object.keys(TOLD).sort()).toEqual(Object.keys(WORK).sort());
  });

  it('what partners follow is told by ingestion alone', async () => {
    for (const user of USERS)
      expect([user, await mayPublish(user, 'postmaster.events.acme.document.ready')]).toEqual([
        user,
        user === 'ingestion',
      ]);
  });

  it('blobs are written by ingestion alone, and no one deletes a stream', async () => {
    for (const user of USERS) {
      expect([user, await mayPublish(user, '$O.postmaster-blobs.C.one')]).toEqual([user, user === 'ingestion']);
      expect([user, await mayPublish(user, '$JS.API.STREAM.DELETE.POSTMASTER_WORK')]).toEqual([user, false]);
    }
  });

  it('ask and answer each other, and use JetStream', async () => {
    const subject = 'postmaster.requests.tenants.profile';
    const answering = as('tenants').subscribe(subject, {
      queue: 'tenants',
      callback: (_error, message) => void message.respond('yes'),
    });
    await as('tenants').flush(); // the server knows of it
    for (const user of USERS) {
      expect((await as(user).request(subject, '', { timeout: 2_000 })).string()).toBe('yes');
      expect((await as(user).request('$JS.API.INFO', '', { timeout: 2_000 })).string()).toContain('"memory"');
    }
    answering.unsubscribe();
  });

  it('a wrong password is refused, and so is nobody', async () => {
    await expect(connect({ servers: server.url, user: 'gateway', pass: passwordOf('tenants') })).rejects.toThrow(
      /uthori/,
    );
    await expect(connect({ servers: server.url })).rejects.toThrow(/uthori/);
  });
});
