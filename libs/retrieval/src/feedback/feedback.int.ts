import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  encodeQuestion,
  exportFeedback,
  type FeedbackForm,
  type FeedbackLine,
  livingParagraphs,
  newId,
  TenantId,
  tenantProfile,
} from '@postmaster/contracts';
import { openMemoryDatabase } from '@postmaster/database';
import { type Database, databaseOf } from '@postmaster/durable';
import { deliver, eventOf, FakeCandidateStore, FakeRequests, pointPayload, profileOf, told } from '@postmaster/testing';
import { sql } from 'kysely';
import { retrievalService } from '../retrieval-service.js';
import { RETRIEVAL_SCHEMA, retrievalMigrations } from '../rows/migrations.js';
import type { RetrievalTables } from '../rows/tables.js';

const ours = TenantId.parse('ours');
const theirs = TenantId.parse('theirs');
const WHERE = 'Where is the boiler?';
const vector = new Float32Array([1, 0]);

let memory: Awaited<ReturnType<typeof openMemoryDatabase>>;
let db: Database<RetrievalTables>;
beforeAll(async () => {
  memory = await openMemoryDatabase([{ schema: RETRIEVAL_SCHEMA, migrations: retrievalMigrations }]);
  db = databaseOf<RetrievalTables>(memory.kysely, RETRIEVAL_SCHEMA);
}, 60_000);
afterAll(() => memory.close());

let clock = 0;
let living: (id: string) => boolean = () => true;
let world: ReturnType<typeof setUp>;
beforeEach(async () => {
  for (const tenant of [ours, theirs])
    await db.asTenant(tenant, async (tx) => {
      for (const table of ['feedback', 'documents', 'outbox', 'inbox'])
        await sql`delete from ${sql.table(table)}`.execute(tx);
    });
  living = () => true;
  world = setUp();
});

const setUp = () => {
  const store = new FakeCandidateStore();
  const requests = new FakeRequests(async (token) => ({
    ...{ tenant: TenantId.parse(token.split(' ')[0]), subject: 'test' },
    scopes: token.includes('admin') ? ['read', 'admin'] : ['read'],
  }));
  requests.answer(encodeQuestion, async () => ({ index: 'main', encoder: 'test', vector }));
  requests.answer(livingParagraphs, async (_, { ids }) => ({ living: ids.filter((id) => living(id)) }));
  requests.answer(tenantProfile, async ({ tenant }) => profileOf(tenant));
  const add = (tenant: TenantId, id: string, document: string, text: string) =>
    store.put(tenant, { id, payload: pointPayload({ document, text }), vectors: { paragraph: vector } });
  add(ours, 'p1', 'd1', 'The boiler is in the cellar.');
  add(ours, 'p2', 'd1', 'The roof was laid in 1998.');
  add(ours, 'p3', 'd2', 'A boiler heats water.');
  add(theirs, 'p9', 'd9', 'Their boiler is in the attic.');
  const now = () => new Date(Date.UTC(2026, 10, 21) + clock++);
  const { giveFeedback, parts, search } = retrievalService({
    ...{ requests, store, languageOf: () => 'en' },
    feedback: {
      ...{ db, now, newId },
      onError: (error) => {
        throw error;
      },
    },
  });
  if (!parts) throw new Error('Feedback has rows here.');
  return {
    search,
    give: (input: object, tenant = ours) =>
      giveFeedback(tenant, tenant, 'key-1', { query: WHERE, verdict: 'right', ...input }),
    forget: (document: string, tenant = ours) =>
      deliver(parts.consumers, eventOf(tenant, 'document.deleted', { document, version: 1 })),
    lines: async (as: FeedbackForm, token = 'ours admin'): Promise<FeedbackLine[]> => {
      const all: FeedbackLine[] = [];
      let after: string | undefined;
      do {
        const page: FeedbackLine[] = [];
        for await (const line of requests.stream(exportFeedback, token, { as, after })) page.push(line);
        const more = page.at(-1);
        after = more?.kind === 'more' ? more.after : undefined;
        all.push(...page.filter(({ kind }) => kind !== 'more'));
      } while (after !== undefined);
      return all;
    },
  };
};

const rowsOf = (tenant: TenantId) => db.asTenant(tenant, (tx) => tx.selectFrom('feedback').selectAll().execute());
const ofKind = <K extends FeedbackLine['kind']>(lines: FeedbackLine[], kind: K) =>
  lines.filter((line): line is Extract<FeedbackLine, { kind: K }> => line.kind === kind);

describe('feedback', () => {
  it('notes a hit or an answer with its question, whose it is and who gave it', async () => {
    expect(await world.give({ query: ` ${WHERE} `, paragraph: 'p1', note: 'just so' })).toMatchObject({
      ...{ query: WHERE, verdict: 'right', note: 'just so' },
    });
    await world.give({ verdict: 'wrong', answer: { text: 'In the attic [1].', citations: ['p3', 'p3', 'p1'] } });
    expect(await rowsOf(ours)).toMatchObject([
      { paragraphs: ['p1'], documents: ['d1'], answer: null, given_by: 'key-1', verdict: 'right' },
      { paragraphs: ['p3', 'p1'], documents: expect.arrayContaining(['d1', 'd2']), answer: 'In the attic [1].' },
    ]);
  });

  it.each<[string, object, string, string]>([
    ['neither hit nor answer', {}, 'INPUT_INVALID', 'paragraph'],
    ['both', { paragraph: 'p1', answer: { text: 'x' } }, 'INPUT_INVALID', 'paragraph'],
    ['no verdict of ours', { paragraph: 'p1', verdict: 'maybe' }, 'INPUT_INVALID', 'verdict'],
    ['a note without end', { paragraph: 'p1', note: 'x'.repeat(2_001) }, 'INPUT_INVALID', 'note'],
    ['an empty question', { paragraph: 'p1', query: '?' }, 'QUERY_EMPTY', 'query'],
    ['an unknown paragraph', { paragraph: 'p0' }, 'NOT_FOUND', 'paragraph'],
    ["another tenant's paragraph", { paragraph: 'p9' }, 'NOT_FOUND', 'paragraph'],
    ['an unknown source', { answer: { text: 'x', citations: ['p1', 'p0'] } }, 'NOT_FOUND', 'answer.citations'],
  ])('is refused on %s', async (_, input, code, field) => {
    await expect(world.give(input)).rejects.toMatchObject({ code, field });
    expect(await rowsOf(ours)).toEqual([]);
  });

  it('of another tenant is never seen: not in rows, not in an export, not by deleting', async () => {
    await world.give({ paragraph: 'p1' });
    await world.give({ paragraph: 'p9' }, theirs);
    expect((await rowsOf(ours)).map(({ paragraphs }) => paragraphs)).toEqual([['p1']]);
    await expect(db.asTenant(theirs, (tx) => sql`update feedback set tenant = 'ours'`.execute(tx))).rejects.toThrow(
      /row-level security/,
    );
    await expect(db.asSystem((tx) => tx.selectFrom('feedback').selectAll().execute())).rejects.toThrow(/permission/);
    expect(JSON.stringify(await world.lines('set', 'theirs admin'))).not.toMatch(/p1|cellar/);
    await world.forget('d9', ours);
    expect(await rowsOf(theirs)).toHaveLength(1);
  });

  it('goes with its document, the answers that cite it too, and none comes after', async () => {
    await world.give({ paragraph: 'p1' });
    await world.give({ paragraph: 'p3' });
    await world.give({ answer: { text: 'x', citations: ['p2', 'p3'] } });
    for (let i = 0; i < 2; i++) await world.forget('d1');
    expect((await rowsOf(ours)).map(({ paragraphs }) => paragraphs)).toEqual([['p3']]);
    const forgotten = { document: 'd1', version: 1, service: 'retrieval' };
    expect(await told(db as Database<unknown>, ours, 'document.forgotten')).toEqual([forgotten, forgotten]);
    await expect(world.give({ paragraph: 'p1' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('changes no search', async () => {
    const found = async () => (await world.search(ours, 'ours', { query: WHERE })).hits.map(({ score }) => score);
    const before = await found();
    for (let i = 0; i < 3; i++) await world.give({ paragraph: 'p2' });
    expect(await found()).toEqual(before);
  });
});

describe('an export of feedback', () => {
  const judged = (lines: FeedbackLine[]) =>
    Object.fromEntries(ofKind(lines, 'qrel').map(({ paragraph, grade }) => [paragraph, grade]));

  it('is a set of judged questions, among all that their search looked at', async () => {
    await world.give({ paragraph: 'p1' });
    await world.give({ paragraph: 'p2', verdict: 'wrong' });
    const lines = await world.lines('set');
    expect(
      ofKind(lines, 'paragraph')
        .map(({ id }) => id)
        .sort(),
    ).toEqual(['p1', 'p2', 'p3']);
    expect(ofKind(lines, 'facets')).toHaveLength(3);
    expect(ofKind(lines, 'query')).toMatchObject([{ text: WHERE, answers: [] }]);
    expect(judged(lines)).toEqual({ p1: 1, p2: 0 });
  });

  it('goes by the newest verdict on a hit, and takes the sources of a right answer for right', async () => {
    await world.give({ paragraph: 'p1', verdict: 'wrong' });
    await world.give({ paragraph: 'p1' });
    await world.give({ paragraph: 'p2', verdict: 'wrong' });
    await world.give({ answer: { text: 'x', citations: ['p2', 'p3'] } });
    expect(judged(await world.lines('set'))).toEqual({ p1: 1, p2: 0, p3: 1 });
  });

  it('leaves out questions without a right paragraph, and paragraphs that are gone', async () => {
    await world.give({ paragraph: 'p2', verdict: 'wrong' });
    await world.give({ query: 'Another?', verdict: 'wrong', answer: { text: 'x', citations: ['p3'] } });
    await world.give({ query: 'A third?', paragraph: 'p3' });
    await world.give({ query: 'A third?', paragraph: 'p1' });
    living = (id) => id !== 'p1';
    const lines = await world.lines('set');
    expect(ofKind(lines, 'query').map(({ text }) => text)).toEqual(['A third?']);
    expect(judged(lines)).toEqual({ p3: 1 });
    expect(ofKind(lines, 'paragraph').map(({ id }) => id)).not.toContain('p1');
  });

  it('gives pairs to train an encoder on', async () => {
    await world.give({ paragraph: 'p1' });
    await world.give({ paragraph: 'p2', verdict: 'wrong' });
    expect(await world.lines('pairs')).toEqual([
      {
        kind: 'pair',
        question: WHERE,
        positive: 'The boiler is in the cellar.',
        negatives: ['The roof was laid in 1998.'],
      },
    ]);
  });

  it('comes page by page, whole, and to admins alone', async () => {
    const asked = Array.from({ length: 205 }, (_, i) => `Question ${i}?`);
    for (const query of asked) await world.give({ query, paragraph: 'p1' });
    const questions = ofKind(await world.lines('pairs'), 'pair').map(({ question }) => question);
    expect(questions.sort()).toEqual(asked.sort());
    await expect(world.lines('pairs', 'ours')).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});
