import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type EmbeddingServer,
  type ModelServer,
  type RerankerServer,
  startEmbeddingServer,
  startModelServer,
  startRerankerServer,
} from '@postmaster/testing';
import { type Client, clientOf, follow } from './client.js';
import { type ServerProcess, startServer, temporaryFolder } from './server-process.js';

const SECRET = 'sk-the-secret-of-the-test';
let folder = temporaryFolder();
let server: ServerProcess | undefined;

const endServer = async (): Promise<void> => {
  await server?.end();
  expect(server?.output() ?? '').not.toContain(SECRET);
  server = undefined;
  folder.remove();
  folder = temporaryFolder();
};

interface Seen {
  status: string;
  degraded: { code: string; next: string }[];
  progress: { total: number; indexed: number; failed: number; paused: { code: string; next: string } | null };
}

const see = async (client: Client, id: string): Promise<Seen> =>
  (
    await client.ask<{ document: Seen }>(
      `query($id: ID!) { document(id: $id) { status degraded { code next }
         progress { total indexed failed paused { code next } } } }`,
      { id },
    )
  ).document;

const until = async <T>(look: () => Promise<T>, check: (seen: T) => boolean, withinMs = 60_000): Promise<T> => {
  const end = Date.now() + withinMs;
  for (;;) {
    const seen = await look();
    if (check(seen)) return seen;
    if (Date.now() > end) throw new Error(`Not in time: ${JSON.stringify(seen)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};

const modelAt = (url: string): Record<string, string> => ({
  LLM_PROVIDER: 'openai',
  LLM_URL: `${url}/v1`,
  LLM_MODEL: 'stand-in',
  LLM_API_KEY: SECRET,
  ENCODER_THREADS: '1',
});

const upload = async (client: Client, name: string, text: string): Promise<string> =>
  String((await client.upload(name, text)).body.id);

describe('a model at fault', () => {
  let model: ModelServer;
  let client: Client;
  beforeAll(async () => {
    model = await startModelServer({ latencyMs: 5 });
    server = await startServer(folder.path, { ...modelAt(model.url), LLM_TIMEOUT_MS: '2000' });
    client = clientOf(server, server.key);
  }, 90_000);
  afterEach(() => {
    model.behaviour.fault = undefined;
  });
  afterAll(async () => {
    await endServer();
    await model.close();
  });

  it('that is down leaves the text searchable, says why it waits, and all is READY when it is back', async () => {
    const before = await upload(client, 'before.md', 'The ferry to Ærø leaves at seven.');
    await follow(client, before);
    model.behaviour.fault = { kind: 'status', status: 503 };
    const id = await upload(client, 'during.md', 'The bakery in Marstal opens at five.');
    const waiting = await until(
      () => see(client, id),
      ({ progress }) => progress.paused !== null,
      90_000,
    );
    expect(waiting).toMatchObject({
      status: 'SEARCHABLE',
      progress: { failed: 0, paused: { code: 'MODEL_UNREACHABLE' } },
    });
    expect(waiting.progress.paused?.next).toMatch(/./);
    const { search } = await client.ask<{ search: { hits: { paragraph: { text: string } }[] } }>(
      `{ search(query: "When does the bakery open?") { hits { paragraph { text } } } }`,
    );
    expect(search.hits[0]?.paragraph.text).toContain('bakery');
    model.behaviour.fault = undefined;
    expect(await follow(client, id, ['READY'], 60_000)).toMatchObject({ progress: { failed: 0 } });
  }, 180_000);

  it.each([
    ['garbage', { kind: 'garbage' } as const, 'nails', 'MODEL_MALFORMED'],
    ['the wrong shape', { kind: 'wrong-shape' } as const, 'hinges', 'MODEL_MALFORMED'],
    ['that it would rather not', { kind: 'declined' } as const, 'locks', 'MODEL_DECLINED'],
  ])(
    'that answers %s is given up in time, said on the document, and tried again when asked',
    async (_what, fault, goods, code) => {
      const beside = await upload(client, `before-${goods}.md`, `A mill stood before there were ${goods}.`);
      await follow(client, beside);
      model.behaviour.fault = fault;
      const id = await upload(client, `${goods}.md`, `The smith of Ribe made ${goods}.`);
      await follow(client, id, ['READY'], 120_000);
      const seen = await see(client, id);
      expect(seen).toMatchObject({ degraded: [{ code }], progress: { failed: 1, indexed: 1 } });
      expect(seen.degraded[0]?.next).toMatch(/./);
      model.behaviour.fault = undefined;
      await client.ask(`mutation($ids: [ID!]) { retryDocuments(filter: { ids: $ids }) { ... on Job { id } } }`, {
        ids: [id],
      });
      await until(
        () => see(client, id),
        ({ status, progress }) => status === 'READY' && progress.failed === 0,
      );
      expect((await see(client, beside)).status).toBe('READY');
    },
    180_000,
  );

  it('that is slow is cut off at its time limit and pauses the work', async () => {
    model.behaviour.fault = { kind: 'hang' };
    const id = await upload(client, 'slow.md', 'The tide in Esbjerg is high at noon.');
    const waiting = await until(
      () => see(client, id),
      ({ progress }) => progress.paused !== null,
      90_000,
    );
    expect(waiting.progress.paused).toMatchObject({ code: 'MODEL_UNREACHABLE' });
    model.behaviour.fault = undefined;
    expect(await follow(client, id, ['READY'], 60_000)).toMatchObject({ progress: { failed: 0 } });
  }, 180_000);
});

describe('another neighbour at fault', () => {
  let model: ModelServer | undefined;
  let encoder: EmbeddingServer | undefined;
  let reranker: RerankerServer | undefined;
  afterEach(async () => {
    await endServer();
    await Promise.all([model?.close(), encoder?.close(), reranker?.close()]);
    [model, encoder, reranker] = [undefined, undefined, undefined];
  });

  it('an encoder of another dimension than the index has is refused, and harms nothing', async () => {
    encoder = await startEmbeddingServer({ dimension: 24 });
    const other = { ENCODER_PROVIDER: 'openai', ENCODER_URL: `${encoder.url}/v1`, ENCODER_MODEL: 'stand-in' };
    server = await startServer(folder.path, { ENCODER_THREADS: '1' });
    let client = clientOf(server, server.key);
    const id = await upload(client, 'kept.md', 'The archive of Viborg keeps the letters.');
    await follow(client, id);
    await server.end();

    server = await startServer(folder.path, other);
    client = clientOf(server, server.key);
    const { errors } = await client.graphql(`{ search(query: "Where are the letters?") { hits { score } } }`);
    expect(errors?.[0]?.extensions.code).toBe('DIMENSION_MISMATCH');
    expect(errors?.[0]?.message).toMatch(/384.*24/);
    expect(errors?.[0]?.extensions.next).toMatch(/./);
    const late = await upload(client, 'late.md', 'The tower of Viborg was built in brick.');
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect((await see(client, late)).progress).toMatchObject({ indexed: 0, failed: 0 });
    await server.end();

    server = await startServer(folder.path, { ENCODER_THREADS: '1' });
    client = clientOf(server, server.key);
    expect((await follow(client, late)).status).toBe('READY');
    expect((await follow(client, id)).status).toBe('READY');
  }, 180_000);

  it('a reranker orders the hits and says why; late or talking nonsense it leaves the fused order, and a judge can be asked instead', async () => {
    reranker = await startRerankerServer();
    model = await startModelServer({ latencyMs: 5 });
    server = await startServer(folder.path, {
      ...modelAt(model.url),
      RERANKER_PROVIDER: 'tei',
      RERANKER_URL: reranker.url,
      RERANKER_API_KEY: SECRET,
      RERANKER_TIMEOUT_MS: '1500',
    });
    const client = clientOf(server, server.key);
    const texts = ['The harbour has two keys.', 'Anna keeps the keys of the office.', 'Keys are cut in Havnegade.'];
    for (const [at, text] of texts.entries()) await follow(client, await upload(client, `${at}.md`, text));
    const find = async (rerank?: string) =>
      (
        await client.ask<{ search: Reranked }>(
          `query($options: SearchOptions) { search(query: "Who keeps the keys?", options: $options) { notices { code }
             hits { score paragraph { text } rerank { reranker rank fusedRank verdict { reason relevant grade } } } } }`,
          { options: { rerank } },
        )
      ).search;

    const plain = await find('NONE');
    expect(plain.hits.map((hit) => hit.rerank)).toEqual([null, null, null]);
    const reranked = await find();
    expect(reranked).toMatchObject({
      notices: [],
      hits: [
        { score: 1, paragraph: { text: expect.stringContaining('Anna') }, rerank: { rank: 1, verdict: null } },
        {},
        {},
      ],
    });
    expect(reranker.calls.at(-1)).toMatchObject({ query: 'Who keeps the keys?', authorization: `Bearer ${SECRET}` });

    for (const [kind, code] of [
      ['hang', 'RERANKER_LATE'],
      ['duplicate', 'RERANKER_MALFORMED'],
    ] as const) {
      reranker.fault = { kind };
      expect(await find()).toEqual({ ...plain, notices: [{ code }] });
    }

    const judged = await find('JUDGE');
    expect(judged.hits[0]).toMatchObject({
      paragraph: { text: expect.stringContaining('Anna') },
      rerank: { reranker: 'judge:openai:stand-in', verdict: { relevant: true, grade: 2, reason: 'keeps the keys' } },
    });
    const url = `${server?.url}/api/v1/search?query=Who+keeps+the+keys%3F&rerank=judge`;
    const rest = (await (await fetch(url, { headers: { 'x-api-key': server?.key ?? '' } })).json()) as {
      paragraphs: unknown[];
    };
    expect(rest.paragraphs[0]).toMatchObject({ rerank: { verdict: { grade: 2 } } });
  });
});

interface Reranked {
  notices: { code: string }[];
  hits: { score: number; paragraph: { text: string }; rerank: object | null }[];
}
