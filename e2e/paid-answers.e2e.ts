import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer, until } from '@postmaster/testing';
import { type Client, clientOf, follow } from './client.js';
import { type ServerProcess, startServer, temporaryFolder } from './server-process.js';

const TEXT = 'The library of Aarhus opens at eight on weekdays. On Saturdays it opens at ten, and closes at three.';
const QUESTION = 'When does the library of Aarhus open?';
/** What the stand-in was asked for, as the ledger names it. */
const TASKS: Record<string, string> = {
  ...{ answer: 'answers', plan: 'plans', variations: 'plans', judge: 'reranking' },
  ...{ grade: 'grades', summary: 'set-summaries' },
};
const NOTICES = 'notices { code message }';

interface Noticed {
  notices: { code: string; message: string }[];
}
interface Answer extends Noticed {
  text: string;
  model: string;
  found: boolean;
}

const folder = temporaryFolder();
let model: ModelServer;
let server: ServerProcess;
let client: Client;
let paragraph: string;

beforeAll(async () => {
  model = await startModelServer();
  server = await startServer(folder.path, {
    ...{ LLM_PROVIDER: 'ollama', LLM_URL: model.url, LLM_MODEL: 'stand-in', ENCODER_THREADS: '1' },
    LLM_PRICES: JSON.stringify({ currency: 'EUR', models: { 'ollama:*': { input: 1_000, output: 1_000 } } }),
  });
  client = clientOf(server, server.key);
  const { body } = await client.upload('hours.md', TEXT, { sourceId: 'hours' });
  await follow(client, String(body.id), ['READY'], 120_000);
  const { document } = await client.ask<{ document: { paragraphs: { nodes: { id: string }[] } } }>(
    'query($id: ID!) { document(id: $id) { paragraphs { nodes { id } } } }',
    { id: body.id },
  );
  paragraph = document.paragraphs.nodes[0]?.id ?? '';
}, 180_000);
afterAll(async () => {
  await server?.end();
  await model?.close();
  folder.remove();
});

const ask = async (query: string, options = {}): Promise<Answer> =>
  (
    await client.ask<{ ask: Answer }>(
      `query($query: String!, $options: SearchOptions) {
        ask(query: $query, options: $options) { text model found ${NOTICES} } }`,
      { query, options },
    )
  ).ask;

/** Whatever else retrieval asks a model for. */
const askForAll = async (): Promise<Noticed[]> =>
  Object.values(
    await client.ask<Record<string, Noticed>>(
      `query($query: String!, $paragraph: ID!, $planned: SearchOptions, $judged: SearchOptions) {
        planned: search(query: $query, options: $planned) { ${NOTICES} }
        judged: search(query: $query, options: $judged) { ${NOTICES} }
        judge(query: $query, paragraph: $paragraph) { ${NOTICES} }
        judgeAnswer(query: $query, answer: "At eight.", sources: [$paragraph]) { ${NOTICES} }
        summarize { ${NOTICES} } }`,
      {
        ...{ query: QUESTION, paragraph, judged: { rerank: 'JUDGE' } },
        planned: { planning: 'MODEL', questions: 1, hypothetical: true, fresh: true },
      },
    ),
  );

interface Entry {
  task: string;
  calls: number;
  inputTokens: number;
  money: number;
}
const ledger = async (): Promise<Map<string, Entry>> => {
  const { usage } = await client.ask<{ usage: { entries: Entry[] } }>(
    '{ usage(by: [TASK]) { entries { task calls inputTokens money } } }',
  );
  return new Map(usage.entries.map((entry) => [entry.task, entry]));
};
const limit = (tokensPerMonth: number | null) =>
  client.ask(
    'mutation($input: UpdateTenantInput!) { updateTenant(input: $input) { ... on Tenant { id } ... on Refused { message } } }',
    { input: { budget: { tokensPerMonth } } },
  );

describe('what a model is asked for by who searches', () => {
  it('is in the ledger, each by what it was for, with its tokens and money', async () => {
    await ask(QUESTION);
    await askForAll();
    const asked = new Map<string, number>();
    for (const { asked: said } of model.calls) {
      const task = TASKS[said.kind];
      if (task) asked.set(task, (asked.get(task) ?? 0) + 1);
    }
    expect(Object.fromEntries(asked)).toEqual({ answers: 1, plans: 2, reranking: 1, grades: 2, 'set-summaries': 1 });
    const told = await until(async () => {
      const entries = await ledger();
      return [...asked.keys()].every((task) => entries.has(task)) && entries;
    });
    for (const [task, calls] of asked) {
      expect([task, told.get(task)?.calls]).toEqual([task, calls]);
      expect(told.get(task)?.inputTokens).toBeGreaterThan(10);
      expect(told.get(task)?.money).toBeGreaterThan(0);
    }
  });

  it('is done without the model where the budget is used up, which is said, and by it when it is raised', async () => {
    await limit(1);
    const reworded = `${QUESTION} I ask`;
    const used = await until(async () => {
      const answer = await ask(reworded, { fresh: true });
      return answer.model === 'extractive' && answer;
    });
    expect(used).toMatchObject({ found: true, text: expect.stringContaining('opens at eight') });
    expect(used.notices).toMatchObject([
      { code: 'BUDGET_USED', message: expect.stringMatching(/used up.*best sentences/) },
    ]);
    model.forget();
    for (const { notices } of await askForAll())
      expect(new Set(notices.map(({ code }) => code))).toEqual(new Set(['BUDGET_USED']));
    expect((await ask(reworded)).model).toBe('extractive');
    expect(model.calls).toEqual([]);

    await limit(null);
    await until(async () => (await ask(reworded)).model === 'ollama:stand-in'); // it was not kept
  });
});
