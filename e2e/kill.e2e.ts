import { afterAll, describe, expect, it } from 'vitest';
import { type ModelServer, seeded, startModelServer } from '@postmaster/testing';
import { type Client, clientOf, follow } from './client.js';
import { indexedPoints } from './indexed-points.js';
import { type ServerProcess, startServer, temporaryFolder } from './server-process.js';

const KILLS = Number(process.env.KILLS ?? 5);
const DOCUMENTS = 6;
const PARAGRAPHS = 20;
const CONCURRENCY = 4;

const random = seeded(Number(process.env.SEED ?? 20261121));

const document = (d: number): string =>
  Array.from(
    { length: PARAGRAPHS },
    (_, p) =>
      `## Section ${p}\n\nThe lighthouse number ${d}-${p} was built in ${1700 + d * PARAGRAPHS + p} by a keeper who counted ${p} ships.`,
  ).join('\n\n');

const folder = temporaryFolder();
let model: ModelServer | undefined;
let server: ServerProcess | undefined;

describe('a server that is killed again and again', () => {
  afterAll(async () => {
    await server?.end('SIGKILL');
    await model?.close();
    folder.remove();
  });

  it(
    `loses nothing, doubles nothing and pays for nothing twice (${KILLS} kills)`,
    async () => {
      model = await startModelServer({ latencyMs: 60 });
      const env = {
        LLM_PROVIDER: 'openai',
        LLM_URL: `${model.url}/v1`,
        LLM_MODEL: 'stand-in',
        LLM_API_KEY: 'secret-of-the-test',
        LLM_CONCURRENCY: String(CONCURRENCY),
        ENCODER_THREADS: '1',
      };
      const ids = new Map<number, string>();
      const uploadMissing = async (client: Client): Promise<void> => {
        for (let d = 0; d < DOCUMENTS; d++)
          if (!ids.has(d)) {
            const { body } = await client.upload(`${d}.md`, document(d), { sourceId: `doc-${d}`, priority: 'BULK' });
            ids.set(d, String(body.id));
          }
      };
      let kills = 0;
      for (;;) {
        server = await startServer(folder.path, env);
        const client = clientOf(server, server.key);
        if (kills === KILLS) break;
        const uploading = uploadMissing(client).catch(() => undefined); // what was not answered is sent again
        await new Promise((resolve) => setTimeout(resolve, random() * 1_500));
        await server.end('SIGKILL');
        await uploading;
        kills++;
      }
      const client = clientOf(server, server.key);
      await uploadMissing(client);

      const paragraphs = new Set<string>();
      for (const id of ids.values()) {
        const state = await follow(client, id, ['READY', 'FAILED'], 120_000);
        expect(state).toMatchObject({ status: 'READY', failure: null });
        expect(state.progress).toEqual({
          total: PARAGRAPHS,
          indexed: PARAGRAPHS,
          enriched: PARAGRAPHS,
          failed: 0,
          ready: PARAGRAPHS,
        });
        const { document: read } = await client.ask<{
          document: { paragraphs: { nodes: { id: string; facets: { model: string } | null }[] } };
        }>(`query($id: ID!) { document(id: $id) { paragraphs(first: 100) { nodes { id facets { model } } } } }`, {
          id,
        });
        for (const paragraph of read.paragraphs.nodes) {
          expect(paragraph.facets?.model).toBe('openai:stand-in');
          paragraphs.add(paragraph.id);
        }
      }
      expect(ids.size).toBe(DOCUMENTS);
      expect(paragraphs.size).toBe(DOCUMENTS * PARAGRAPHS);

      const calls = model.paragraphs.filter((text) => text.includes('The lighthouse number')).length; // not the tries of starts
      expect(calls).toBeGreaterThanOrEqual(paragraphs.size);
      expect(calls).toBeLessThanOrEqual(paragraphs.size + kills * CONCURRENCY);

      await server.end('SIGTERM');
      const points = await indexedPoints(server.folder);
      expect(points.map(({ id }) => id).sort()).toEqual([...paragraphs].sort());
      expect(points.filter(({ vectors }) => vectors.length < 5)).toEqual([]);
      expect(server.output()).not.toContain('secret-of-the-test');
    },
    KILLS * 20_000 + 180_000,
  );
});
