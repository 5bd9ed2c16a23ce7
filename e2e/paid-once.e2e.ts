import { afterAll, describe, expect, it } from 'vitest';
import { type ModelCall, type ModelServer, startModelServer, until } from '@postmaster/testing';
import { type Client, clientOf, follow } from './client.js';
import { type ServerProcess, startServer, temporaryFolder } from './server-process.js';

const PARAGRAPHS = 38;
const CALLS_A_DOCUMENT = PARAGRAPHS + 2; // and one each for its metadata and its summary
const DOCUMENTS = Math.ceil(Number(process.env.CALLS ?? 240) / CALLS_A_DOCUMENT);
const CALLS = DOCUMENTS * CALLS_A_DOCUMENT;
const CONCURRENCY = 32;

/** Each paragraph a section of its own, so that none is joined to its neighbour. */
const document = (d: number): string =>
  Array.from(
    { length: PARAGRAPHS },
    (_, p) => `## Section ${p}\n\nLighthouse number ${d}-${p} was built in ${1000 + d * PARAGRAPHS + p} by a keeper.`,
  ).join('\n\n');

const KINDS: ReadonlySet<string> = new Set(['facets', 'metadata', 'document-summary']);

/** By all that the model was told: of the documents, not of the tries at a start. */
const byInput = ({ calls }: ModelServer): ModelCall[][] => {
  const inputs = new Map<string, ModelCall[]>();
  for (const call of calls.filter(({ asked, prompt }) => KINDS.has(asked.kind) && prompt.includes('ighthouse'))) {
    const input = JSON.stringify([call.system, call.prompt]);
    inputs.set(input, [...(inputs.get(input) ?? []), call]);
  }
  return [...inputs.values()];
};

const MADE = `query($id: ID!) { document(id: $id) { extracted { model } summary { model }
  paragraphs(first: 100) { nodes { facets { model } } } } }`;
interface By {
  model: string | null;
}
interface Made {
  document: { extracted: By | null; summary: By | null; paragraphs: { nodes: { facets: By | null }[] } };
}

/** Who made all that is known of a document. */
const makersOf = async (client: Client, id: string): Promise<(string | null | undefined)[]> => {
  const { document: made } = await client.ask<Made>(MADE, { id });
  const parts = [made.extracted, made.summary, ...made.paragraphs.nodes.map(({ facets }) => facets)];
  return parts.map((part) => part?.model);
};

const folder = temporaryFolder();
let model: ModelServer | undefined;
let server: ServerProcess | undefined;

afterAll(async () => {
  await server?.end('SIGKILL');
  await model?.close();
  folder.remove();
});

describe(`a kill in the middle of ${CALLS} calls`, () => {
  it('has none paid for twice but those in flight, and the ledger has each that counts once', async () => {
    const asked = (model = await startModelServer({ latencyMs: 100 }));
    const env = {
      ...{ LLM_PROVIDER: 'openai', LLM_URL: `${model.url}/v1`, LLM_MODEL: 'stand-in', LLM_API_KEY: 'a-key' },
      ...{ LLM_CONCURRENCY: String(CONCURRENCY) },
    };
    server = await startServer(folder.path, env);
    const killed = clientOf(server, server.key);
    const ids = await Promise.all(
      Array.from({ length: DOCUMENTS }, async (_, d) => {
        const { body } = await killed.upload(`${d}.md`, document(d), { sourceId: `doc-${d}`, priority: 'BULK' });
        return String(body.id);
      }),
    );
    await until(() => asked.calls.length >= CALLS / 3, 120);
    await server.end('SIGKILL');
    const before = byInput(asked).length;

    server = await startServer(folder.path, env);
    const client = clientOf(server, server.key);
    for (const id of ids)
      expect(await follow(client, id, ['READY', 'FAILED'], 120_000)).toMatchObject({
        status: 'READY',
        progress: { total: PARAGRAPHS, ready: PARAGRAPHS, failed: 0 },
      });
    const all = `${Array.from({ length: PARAGRAPHS + 2 }, () => 'openai:stand-in')}`;
    for (const id of ids) await until(async () => `${await makersOf(client, id)}` === all);

    const inputs = byInput(asked);
    const repeated = inputs.filter((calls) => calls.length > 1);
    expect(before).toBeLessThan(0.8 * CALLS); // it was in the middle
    expect(inputs).toHaveLength(CALLS);
    expect(repeated.length).toBeLessThanOrEqual(CONCURRENCY);
    expect(repeated.filter((calls) => calls.length > 2)).toEqual([]);
    const ledger = async (): Promise<number> =>
      (await client.ask<{ usage: { total: { calls: number } } }>('{ usage { total { calls } } }')).usage.total.calls;
    await until(async () => (await ledger()) >= CALLS);
    expect(await ledger()).toBe(CALLS);
  }, 300_000);
});
