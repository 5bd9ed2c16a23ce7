import { describe, expect, it } from 'vitest';
import type { EvaluatedQuestion, EvaluationWay } from '@postmaster/contracts';
import { makeReport } from './make-report.js';
import type { Measured } from './measure-set.js';
import { nearlyRepeats } from './nearly-repeats.js';
import { reportPage } from './report-page.js';
import { trecRuns } from './trec-runs.js';

const WAYS: EvaluationWay[] = ['bm25', 'composite', 'composite-exact', 'without-scope'];
const EVIL = `<script>alert('x')</script>`;

/** Forty questions: composite finds all but the last first, BM25 every fourth; the last is not answered by anything. */
const measured = (): Measured => {
  const ids = Array.from({ length: 40 }, (_, at) => `q${at}`);
  const queries = ids.map((id, at) => ({ id, text: `${EVIL} number ${at}?`, answers: [], unanswerable: at === 39 }));
  const answers = new Map<number, EvaluatedQuestion>(
    ids.map((id, at) => {
      const first = { ranked: ['right', 'wrong'], ms: at };
      const second = { ranked: ['wrong', 'right'], ms: null };
      const ways = {
        bm25: at % 4 === 0 ? first : second,
        composite: first,
        'composite-exact': first,
        'without-scope': second,
      };
      const why = [{ leg: 'scope' as const, score: 0.5, scaled: 1, rank: 1, weight: 1, share: 0, text: EVIL }];
      const hits = [{ paragraph: 'right', score: 1, relevance: 0.9, why }];
      return [at, { id, ways, hits, relevance: 0.9, found: at !== 39 }];
    }),
  );
  const paragraph = { document: 'd', title: 'T', text: 'Text.' };
  return {
    set: {
      name: EVIL,
      paragraphs: ['right', 'wrong'].map((id, position) => ({ ...paragraph, id, position })),
      queries,
      judged: queries.map(({ unanswerable }) => new Map(unanswerable ? [] : [['right', 1]])),
      recorded: ['right', 'wrong'].map((id) => ({
        ...{ id, complex_questions: [], context: '', scope: '' },
        simple_questions: id === 'right' ? ['number 7 x'] : [],
      })),
      hashes: { 'qrels.tsv': 'ab' },
    },
    facts: {
      ...{ id: 'a'.repeat(24), encoder: 'test', encoderHash: 'cd', dimension: 2, found: 0.25, perLeg: 50, ways: WAYS },
      weights: { paragraph: 1, simple_questions: 1, complex_questions: 1, context: 1, scope: 1, lexical: 1 },
    },
    ways: WAYS,
    answers,
    enrichment: { calls: 0, inputTokens: 0, outputTokens: 0 },
    timed: 40,
  };
};

describe('the report', () => {
  const report = makeReport(measured(), { seed: 1, commit: 'abc' });

  it('leaves questions without an answer out of the ranking, and counts what is found of both kinds', () => {
    expect(report.queries).toBe(39);
    expect(report.notFound).toEqual({ from: 0.25, answerable: 39, found: 39, unanswerable: 1, notFound: 1 });
  });

  it('keeps ways, ablation and what completion costs apart', () => {
    expect(Object.keys(report.ways)).toEqual(['bm25', 'composite', 'composite-exact']);
    expect(report.ablation.scope).toMatchObject({ 'hit@1': 0, 'recall@5': 1, p50Ms: null });
    expect(report.completionLoss).toBe(0);
    expect(report.ways.composite).toMatchObject({ 'hit@1': 1, p50Ms: 19 });
    expect(report.ways.composite?.p95Ms).toBeCloseTo(36.1, 9);
  });

  it('compares with the best other way, neither with an ablation nor with itself, and claims what is outside of zero', () => {
    const { rival, difference, verdict } = report.versus!['hit@1'];
    expect([rival, verdict]).toEqual(['bm25', 'win']);
    expect(difference.mean).toBeCloseTo(29 / 39, 12);
    expect(report.versus!['recall@5']).toMatchObject({ difference: { mean: 0, low: 0, high: 0 }, verdict: 'open' });
  });

  it('says that hyde is left out without a model, and what it took with one', () => {
    expect(report.notes.at(-1)).toBe('The way `hyde` is left out: the server has no language model.');
    const { answers, facts, ...rest } = measured();
    const hyde = { ranked: ['right'], ms: 1, usage: { calls: 1, inputTokens: 5, outputTokens: 2 } };
    const asked = new Map(
      [...answers].map(([at, one]) => [at, { ...one, ways: { ...one.ways, hyde: { ...hyde, unanswered: at < 2 } } }]),
    );
    const ways: EvaluationWay[] = [...WAYS, 'hyde'];
    const withHyde = makeReport(
      { ...rest, answers: asked, ways, facts: { ...facts, ways } },
      { seed: 1, commit: null },
    );
    expect(withHyde.ways.hyde).toMatchObject({ usage: { calls: 39, inputTokens: 195 }, unanswered: 2 });
    expect(withHyde.notes.at(-1)).toBe(
      '`hyde` took 39 calls of the language model, 195 tokens in and 78 out. For 2 questions it gave no answer, and they stood alone.',
    );
  });

  it('lists the questions won and lost, with their hits', () => {
    expect(report.won).toHaveLength(29);
    expect(report.won[0]).toMatchObject({ id: 'q1', right: ['right'], rivalRanked: ['wrong', 'right'] });
    expect(report.lost).toEqual([]);
  });

  it('repeats itself without the questions that nearly repeat a recorded one', () => {
    expect(report.withoutRepeats?.queries).toBe(38);
    expect(report.withoutRepeats?.versus?.['hit@1'].rival).toBe('bm25');
  });

  it('is a page that runs and fetches nothing, whatever the texts hold', () => {
    const page = reportPage(report);
    expect(page).not.toContain('<script');
    expect(page.match(/https?:\/\//g)).toBeNull();
    expect(page).toContain('&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; number 1?');
    expect(page).toContain('<svg');
  });

  it('has a TREC run per way, ranks from 1, scores falling', () => {
    const runs = trecRuns(measured());
    expect([...runs.keys()]).toContain('bm25.run');
    expect(runs.get('bm25.run')?.split('\n').slice(0, 2)).toEqual(['q0 Q0 right 1 1 bm25', 'q0 Q0 wrong 2 0.5 bm25']);
  });
});

describe('nearly repeats', () => {
  it.each([
    ['Who won the cup?', 'who won the CUP', true],
    ['Who won the cup in 1998?', 'Who won the cup?', true], // 4 of 6
    ['Who lost a match in 1998?', 'Who won the cup?', false], // 1 of 9
    ['?', '?', false],
  ])('%s – %s: %s', (question, recorded, repeats) => expect(nearlyRepeats(question, recorded)).toBe(repeats));
});
