import { beforeEach, describe, expect, it } from 'vitest';
import { CodedError, TenantId } from '@postmaster/contracts';
import { FakeReranker, pointPayload, seeded } from '@postmaster/testing';
import type { Candidate } from './candidate-store.js';
import { REST_MS } from './circuit.js';
import type { Fused } from './fuse-scores.js';
import { RERANKED, type RerankHits, rerankHits } from './rerank-hits.js';

const OURS = TenantId.parse('ours');
const THEIRS = TenantId.parse('theirs');
const question = { text: 'Who keeps the keys?', language: 'en' };

/** Candidates of the fused order, best first. */
const fusedOf = (...texts: string[]): Fused<Candidate>[] =>
  texts.map((text, place) => ({
    candidate: { id: `p${place}`, payload: pointPayload({ text }), scores: {}, matched: {} },
    score: 1 - place / texts.length,
    legs: {},
  }));
const many = (count: number) => fusedOf(...Array.from({ length: count }, (_, i) => `text ${i}`));

let model: FakeReranker;
let clock: number;
let faults: unknown[];
let rerank: RerankHits;
beforeEach(() => {
  model = new FakeReranker();
  clock = 0;
  faults = [];
  rerank = rerankHits({
    rerankers: { 'cross-encoder': { reranker: model, timeoutMs: 60_000 } },
    onFault: (error) => faults.push(error),
    now: () => clock,
  });
});

describe('reranking', () => {
  it('puts the best in the order of the reranker, and says what it gave them and where they stood', async () => {
    model.scoreOf = (_, text) => ({ a: -3, b: 5, c: 1 })[text]!;
    const { ranked, notices } = await rerank(OURS, undefined, question, fusedOf('a', 'b', 'c'));
    expect(ranked.map(({ candidate, score, rerank: said }) => [candidate.payload.text, score, said])).toEqual([
      ['b', 1, { reranker: 'fake:reranker', score: 5, scaled: 1, rank: 1, fusedRank: 2, verdict: null }],
      ['c', 0.75, { reranker: 'fake:reranker', score: 1, scaled: 0.5, rank: 2, fusedRank: 3, verdict: null }],
      ['a', 0.5, { reranker: 'fake:reranker', score: -3, scaled: 0, rank: 3, fusedRank: 1, verdict: null }],
    ]);
    expect(notices).toEqual([]);
  });

  it('lets the fused order decide between equals', async () => {
    model.scoreOf = (_, text) => (text === 'c' ? 1 : 0);
    const { ranked } = await rerank(OURS, undefined, question, fusedOf('a', 'b', 'c', 'd'));
    expect(ranked.map(({ candidate }) => candidate.payload.text)).toEqual(['c', 'a', 'b', 'd']);
    expect(ranked.map(({ rerank: said }) => said?.rank)).toEqual([1, 2, 2, 2]);
    model.scoreOf = () => 7;
    const equal = await rerank(OURS, undefined, question, fusedOf('a', 'b'));
    expect(equal.ranked.map(({ candidate, score }) => [candidate.id, score])).toEqual([
      ['p0', 1],
      ['p1', 1],
    ]);
  });

  it('reads the best 50 and leaves the rest behind them as they stood', async () => {
    model.scoreOf = (_, text) => Number(text.slice(5));
    const { ranked } = await rerank(OURS, undefined, question, many(60));
    expect(model.calls.flat()).toHaveLength(RERANKED);
    const texts = ranked.map(({ candidate }) => Number(candidate.payload.text.slice(5)));
    expect(texts.slice(0, 50)).toEqual(Array.from({ length: 50 }, (_, i) => 49 - i));
    expect(texts.slice(50)).toEqual(Array.from({ length: 10 }, (_, i) => 50 + i));
    expect(ranked.slice(50).every(({ rerank: said }) => said === undefined)).toBe(true);
  });

  it('gives no paragraph that it did not read a greater score than one that it did', async () => {
    const equal = many(60).map((one) => ({ ...one, score: 0.9 }));
    model.scoreOf = (_, text) => Number(text.slice(5));
    const scores = (await rerank(OURS, undefined, question, equal)).ranked.map(({ score }) => score);
    expect(Math.min(...scores.slice(0, 50))).toBe(0.5);
    expect(scores.slice(50)).toEqual(Array.from({ length: 10 }, () => 0.45));
  });

  it('shares the passages out among calls of the size that the reranker takes', async () => {
    model.maxTextsPerCall = 7;
    model.scoreOf = (_, text) => Number(text.slice(5));
    const { ranked } = await rerank(OURS, undefined, question, many(20));
    expect(model.calls.map((texts) => texts.length)).toEqual([7, 7, 6]);
    expect(ranked[0]?.candidate.payload.text).toBe('text 19');
  });

  it('keeps every score within 0…1 and the order by score, whatever finite numbers it gets', async () => {
    const random = seeded(11);
    for (let round = 0; round < 200; round++) {
      const extreme = [Number.MAX_VALUE, -Number.MAX_VALUE, Number.MIN_VALUE, 0, -0];
      model.scoreOf = () =>
        random() < 0.2 ? extreme[Math.floor(random() * 5)]! : (random() - 0.5) * 10 ** (random() * 20);
      const { ranked } = await rerank(OURS, undefined, question, many(1 + Math.floor(random() * 70)));
      const scores = ranked.map(({ score }) => score);
      expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true);
      expect(scores).toEqual([...scores].sort((a, b) => b - a));
    }
  });

  it('carries a judge’s verdict to its hit', async () => {
    const verdict = { reason: 'Nævner nøglerne.', relevant: true, grade: 3 };
    model.verdictOf = (_, text) => (text === 'b' ? verdict : undefined);
    model.scoreOf = (_, text) => (text === 'b' ? 1 : 0);
    const judged = rerankHits({ rerankers: { judge: { reranker: model, timeoutMs: 60_000 } } });
    const { ranked } = await judged(OURS, 'judge', question, fusedOf('a', 'b'));
    expect(ranked.map(({ rerank: said }) => said?.verdict)).toEqual([verdict, null]);
  });
});

describe('the fused order stands', () => {
  const fused = fusedOf('keys', 'Who keeps the keys?');

  it.each([
    ['is late', (): unknown => (model.fault = 'silent'), 'RERANKER_LATE', /did not answer within 0\.005 s/],
    [
      'gives too few scores',
      (): unknown => (model.fault = 'too few'),
      'RERANKER_MALFORMED',
      /gave 1 scores for 2 passages/,
    ],
    ['gives NaN', (): unknown => (model.scoreOf = () => NaN), 'RERANKER_MALFORMED', /gave NaN as a score/],
    ['gives infinity', (): unknown => (model.scoreOf = () => -Infinity), 'RERANKER_MALFORMED', /gave -Infinity/],
    [
      'does not answer',
      (): unknown => (model.fault = new CodedError('RERANKER_UNREACHABLE', 'Down.')),
      'RERANKER_UNREACHABLE',
      /^Down\. The fused order stands\.$/,
    ],
    ['refuses', (): unknown => (model.fault = new CodedError('RERANKER_REFUSED', 'No.')), 'RERANKER_REFUSED', /^No\./],
    [
      'is a model that is out',
      (): unknown => (model.fault = new CodedError('MODEL_UNREACHABLE', 'Out.')),
      'MODEL_UNREACHABLE',
      /^Out\./,
    ],
    [
      'fails in a way that nobody foresaw',
      (): unknown => (model.fault = new Error('secret stack')),
      'INTERNAL',
      /^Something unexpected/,
    ],
  ] as const)('when the reranker %s, and a notice says so', async (_, arrange, code, message) => {
    arrange();
    const timed = { reranker: model, timeoutMs: 5 };
    const { ranked, notices } = await rerankHits({ rerankers: { 'cross-encoder': timed } })(
      OURS,
      undefined,
      question,
      fused,
    );
    expect(ranked).toEqual(fused);
    expect(notices).toMatchObject([{ code, message: expect.stringMatching(message) }]);
  });

  it('and what nobody foresaw is seen by who runs it', async () => {
    model.fault = new Error('a fault');
    await rerank(OURS, undefined, question, fused);
    expect(faults).toEqual([model.fault]);
  });

  it('when it is late, and every call of it is ended', async () => {
    model.fault = 'silent';
    model.maxTextsPerCall = 1;
    await rerankHits({ rerankers: { judge: { reranker: model, timeoutMs: 5 } } })(OURS, 'judge', question, fused);
    expect(model.aborted).toBe(2);
  });

  it('when none is asked for, or none is configured', async () => {
    expect(await rerank(OURS, 'none', question, fused)).toEqual({ ranked: fused, notices: [] });
    expect(await rerankHits({})(OURS, undefined, question, fused)).toEqual({ ranked: fused, notices: [] });
    expect(await rerank(OURS, undefined, question, [])).toEqual({ ranked: [], notices: [] });
    expect(model.calls).toEqual([]);
  });

  it('with a notice, when one is asked for that is not configured', async () => {
    const { ranked, notices } = await rerank(OURS, 'judge', question, fused);
    expect(ranked).toEqual(fused);
    expect(notices).toMatchObject([{ code: 'RERANKER_NOT_SET', message: expect.stringContaining('language model') }]);
  });

  it('for 30 s after three failures in a row; then one search tries for all', async () => {
    model.fault = new CodedError('RERANKER_UNREACHABLE', 'Down.');
    for (let times = 0; times < 5; times++) await rerank(OURS, undefined, question, fused);
    expect(model.calls).toHaveLength(3);
    const { notices } = await rerank(OURS, undefined, question, fused);
    expect(notices).toMatchObject([
      { code: 'RERANKER_UNREACHABLE', message: expect.stringContaining('left alone for 30 s') },
    ]);
    clock += REST_MS;
    await Promise.all([1, 2, 3].map(() => rerank(OURS, undefined, question, fused)));
    expect(model.calls).toHaveLength(4);
    clock += REST_MS;
    model.fault = undefined;
    expect((await rerank(OURS, undefined, question, fused)).notices).toEqual([]);
    expect((await rerank(OURS, undefined, question, fused)).ranked[0]?.candidate.id).toBe('p1');
  });

  it('for a tenant whose budget is used up, and for no other', async () => {
    const used = new CodedError('BUDGET_USED', 'It is used up.');
    const told: unknown[] = [];
    const judging = rerankHits({
      rerankers: { judge: { reranker: model, timeoutMs: 60_000 } },
      ledger: {
        requireBudget: (tenant) => (tenant === OURS ? Promise.reject(used) : Promise.resolve()),
        tell: (...what) => told.push(what),
      },
    });
    for (let times = 0; times < 5; times++) {
      const { ranked, notices } = await judging(OURS, 'judge', question, fused);
      expect(ranked).toEqual(fused);
      expect(notices).toMatchObject([{ code: 'BUDGET_USED', message: 'It is used up. The fused order stands.' }]);
    }
    const paid = { model: 'one', calls: 1, inputTokens: 3, outputTokens: 2, cachedTokens: 0 };
    model.paid = paid;
    expect((await judging(THEIRS, 'judge', question, fused)).notices).toEqual([]);
    expect(told).toEqual([[THEIRS, 'reranking', paid]]);
  });

  it('not, when failures are fewer than three in a row', async () => {
    for (let times = 0; times < 3; times++) {
      for (const fault of [new Error('once'), new Error('twice'), undefined]) {
        model.fault = fault;
        await rerank(OURS, undefined, question, fused);
      }
    }
    expect(model.calls).toHaveLength(9);
  });
});

describe('a caller who leaves', () => {
  it('ends the reranking with its own reason, which is no failure of the reranker', async () => {
    model.fault = 'silent';
    for (let times = 0; times < 4; times++) {
      const leave = new AbortController();
      const left = rerank(OURS, undefined, question, fusedOf('a', 'b'), leave.signal);
      leave.abort(new Error('gone'));
      await expect(left).rejects.toThrow('gone');
    }
    expect(model.calls).toHaveLength(4);
    expect(model.aborted).toBe(4);
  });
});
