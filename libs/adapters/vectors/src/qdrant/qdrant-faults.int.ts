import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type IndexSpec, TenantId } from '@postmaster/contracts';
import { pointPayload, qdrantLauncher, type QdrantServer, startQdrant } from '@postmaster/testing';
import { startTap, type TappedServer } from '../../test/tapped-server.js';
import { type QdrantOptions, type QdrantStore, qdrantStore } from './qdrant-store.js';

const tenant = TenantId.parse('ours');
const spec: IndexSpec = { name: 'faults', encoder: 'test:two', dimension: 2 };
const patch = (id: string) => ({
  id,
  revision: 1,
  payload: pointPayload({ text: `words of ${id}` }),
  vectors: { paragraph: Float32Array.of(0.6, 0.8) },
});
const probe = { vector: Float32Array.of(0.6, 0.8), text: 'words', legs: ['paragraph', 'lexical'] as const };
const launcher = qdrantLauncher();

(launcher ? describe : describe.skip)('Qdrant at fault', () => {
  let server: QdrantServer;
  let tap: TappedServer;
  let made = 0;
  beforeAll(async () => {
    server = await startQdrant({ launcher });
  });
  beforeEach(async () => {
    tap = await startTap(server.url);
    made++;
  });
  afterEach(() => tap.stop());
  afterAll(() => server.stop());

  const store = (options: Partial<QdrantOptions> = {}): QdrantStore =>
    qdrantStore({ url: tap.url, prefix: `faults${made}`, timeoutMs: 300, ...options });
  const search = (from: QdrantStore) => from.candidates(tenant, spec.name, probe, 5);
  const put = async (into: QdrantStore, ...ids: string[]) => into.put(tenant, spec, ids.map(patch));
  /** Calls since the last look. */
  const seen = (): string[] =>
    tap.calls.splice(0).map(({ method, path }) => `${method} ${path.replace(/.*\.1|faults\d+-faults/, '…')}`);

  it('is asked twice a search, and by nothing that compresses its answer', async () => {
    const from = store({ apiKey: 'the key' });
    await put(from, 'p');
    await search(from);
    seen();
    await search(from);
    await from.complete(tenant, spec.name, probe, ['p']);
    const [first] = tap.calls;
    expect(first?.headers).toMatchObject({ 'accept-encoding': 'identity', 'api-key': 'the key' });
    expect(tap.calls.map(({ path }) => path.split('/').slice(-2).join('/'))).toEqual(['query/batch', 'query/batch']);
  });

  it('that refuses the key is asked once, and the key is in no message', async () => {
    tap.before = () => 401;
    const from = store({ apiKey: 'a-secret-key' });
    const error: Error = (await put(from, 'p').catch((error: Error) => error)) as Error;
    expect(error).toMatchObject({ code: 'STORE_REFUSED', next: expect.stringMatching(/QDRANT_API_KEY/) });
    expect(error.message).not.toMatch(/secret/);
    await expect(search(from)).rejects.toMatchObject({ code: 'STORE_REFUSED' });
    expect(tap.calls).toHaveLength(2);
  });

  it.each([503, 429, 'reset'] as const)('is asked again after %s, and answers', async (fault) => {
    const from = store();
    await put(from, 'p');
    seen();
    let faults = 2;
    tap.before = () => (faults-- > 0 ? fault : undefined);
    expect((await search(from)).paragraph).toHaveLength(1);
    expect(tap.calls).toHaveLength(3);
  });

  it('is given up on after the tries that are allowed, with its address and what it said', async () => {
    const from = store({ retries: 2 });
    await put(from, 'p');
    seen();
    tap.before = () => 500;
    await expect(search(from)).rejects.toMatchObject({
      code: 'STORE_UNREACHABLE',
      message: expect.stringMatching(/127\.0\.0\.1:\d+ answers with status 500 \(as asked\)/),
    });
    expect(tap.calls).toHaveLength(3);
  });

  it('that is silent on an open connection is asked anew on another', async () => {
    const from = store();
    await put(from, 'p');
    let silences = 1;
    tap.before = () => (silences-- > 0 ? 'silence' : undefined);
    const began = performance.now();
    expect((await search(from)).paragraph).toHaveLength(1);
    expect(performance.now() - began).toBeGreaterThan(290);
  });

  it('that stays silent fails within three times the time of a call', async () => {
    const from = store();
    await put(from, 'p');
    tap.before = () => 'silence';
    const began = performance.now();
    await expect(search(from)).rejects.toMatchObject({
      code: 'STORE_UNREACHABLE',
      message: expect.stringMatching(/did not answer within 0\.3 s/),
    });
    expect(performance.now() - began).toBeLessThan(1500);
  });

  it('that runs a web page instead is refused at once', async () => {
    tap.before = () => 200;
    await expect(search(store())).rejects.toMatchObject({
      code: 'STORE_REFUSED',
      message: expect.stringMatching(/not Qdrant/),
    });
    expect(tap.calls).toHaveLength(1);
  });

  it('writes once what it was told twice, its first answer being lost', async () => {
    const from = store();
    await put(from, 'p');
    let lost = 1;
    tap.before = async ({ path, body }) => {
      if (!path.endsWith('/batch') || lost-- <= 0) return undefined;
      await fetch(server.url + path + '?wait=true', {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
      });
      return 'reset';
    };
    await from.put(tenant, spec, [{ id: 'p', revision: 2, payload: { scope: 'the scope' } }, patch('q')]);
    expect([...(await from.revisions(tenant, spec))].sort()).toEqual([
      ['p', 2],
      ['q', 1],
    ]);
    expect((await from.complete(tenant, spec.name, probe, ['p']))[0]?.payload.scope).toBe('the scope');
  });

  it('leaves a point gone that another process removed while it was written', async () => {
    const [one, other] = [store(), store()];
    await put(one, 'p');
    tap.before = async ({ path }) => {
      if (!path.endsWith('points/batch')) return undefined;
      tap.before = () => undefined;
      await other.remove(tenant, spec, ['p']);
      return undefined;
    };
    await one.put(tenant, spec, [{ id: 'p', revision: 2, vectors: { scope: Float32Array.of(0.6, 0.8) } }]);
    expect(await one.revisions(tenant, spec)).toEqual(new Map());
  });

  it('keeps what another process wrote between reading and writing', async () => {
    const [one, other] = [store(), store()];
    await put(one, 'p');
    tap.before = async ({ path }) => {
      if (!path.endsWith('points/batch')) return undefined;
      tap.before = () => undefined;
      await other.put(tenant, spec, [
        { id: 'p', revision: 2, payload: { context: 'theirs' }, vectors: { context: Float32Array.of(0.8, 0.6) } },
        patch('new'),
      ]);
      return undefined;
    };
    const scope = { payload: { scope: 'ours' }, vectors: { scope: Float32Array.of(0.6, 0.8) } };
    await one.put(tenant, spec, [
      { id: 'p', revision: 3, ...scope },
      { id: 'new', revision: 3, ...scope },
    ]);
    const points = await one.complete(tenant, spec.name, { ...probe, legs: ['paragraph', 'context', 'scope'] }, [
      'p',
      'new',
    ]);
    const [p, fresh] = ['p', 'new'].map((id) => points.find((point) => point.id === id));
    expect(p?.payload).toMatchObject({ context: 'theirs', scope: 'ours', text: 'words of p' });
    expect(Object.keys(p?.scores ?? {}).sort()).toEqual(['context', 'paragraph', 'scope']);
    expect(fresh?.payload).toMatchObject({ scope: 'ours', text: 'words of new' });
  });

  it('goes in calls of a bounded size', async () => {
    const long = 'word '.repeat(40_000);
    const from = store({ timeoutMs: 10_000 });
    await from.put(
      tenant,
      spec,
      Array.from({ length: 40 }, (_, i) => ({ ...patch(`p${i}`), payload: pointPayload({ text: long }) })),
    );
    const sizes = tap.calls.map(({ body }) => body.length);
    expect(Math.max(...sizes)).toBeLessThan(8 * 1024 * 1024);
    expect((await from.revisions(tenant, spec)).size).toBe(40);
  });

  it('that was killed is said to be out of reach, and serves again after its return with all it had', async () => {
    const from = store({ url: server.url, retries: 1 });
    await put(from, 'p');
    await server.kill();
    const away = { code: 'STORE_UNREACHABLE', message: expect.stringMatching(/can’t be reached \(ECONNREFUSED\)/) };
    await expect(search(from)).rejects.toMatchObject(away);
    await expect(put(from, 'q')).rejects.toMatchObject(away);
    await expect(search(store({ url: server.url, retries: 0 }))).rejects.toMatchObject(away);
    await server.restart();
    await put(from, 'q');
    expect([...(await from.revisions(tenant, spec)).keys()].sort()).toEqual(['p', 'q']);
    expect((await search(from)).lexical).toHaveLength(2);
  });
});
