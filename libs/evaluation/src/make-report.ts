import { type EvaluatedQuestion, type EvaluationWay, LEGS, type ModelUsage } from '@postmaster/contracts';
import { bootstrapMean, quantile, RESAMPLES } from './bootstrap.js';
import type {
  Comparison,
  Comparisons,
  DecidedQuestion,
  EvaluationReport,
  NotFound,
  Part,
  WayFigures,
} from './evaluation-report.js';
import type { Measured } from './measure-set.js';
import { byMetric, type Judgements, meanScores, type Metric, type Scores, scoresOf } from './metrics.js';
import { REPEAT_RULE, repeatedQueries } from './nearly-repeats.js';
import { seededRandom } from './seeded-random.js';

/** A question that has right paragraphs, with what each way found. */
interface Judged {
  id: string;
  text: string;
  judged: Judgements;
  answer: EvaluatedQuestion;
  scores: Partial<Record<EvaluationWay, Scores>>;
}

const NOTES = [
  'The default weights were chosen on xquad-en and xquad-da: on those two they are not shown on questions that nobody saw.',
  `Intervals are paired bootstrap percentiles (95 %, ${RESAMPLES.toLocaleString('en')} resamples of the questions) of composite less the best of all other ways; a win is claimed only where zero is outside.`,
];

const hydeNotes = (there: readonly EvaluationWay[], hyde: WayFigures | undefined): string[] => {
  if (!there.includes('hyde')) return ['The way `hyde` is left out: the server has no language model.'];
  if (!hyde) return [];
  const { calls = 0, inputTokens = 0, outputTokens = 0 } = hyde.usage ?? {};
  const alone = hyde.unanswered ? ` For ${hyde.unanswered} questions it gave no answer, and they stood alone.` : '';
  return [
    `\`hyde\` took ${calls} calls of the language model, ${inputTokens} tokens in and ${outputTokens} out.${alone}`,
  ];
};

export interface ReportFacts {
  seed: number;
  commit: string | null;
}

/** All figures of a measured set. */
export const makeReport = (measured: Measured, { seed, commit }: ReportFacts): EvaluationReport => {
  const { set, facts, ways, enrichment, timed } = measured;
  const judged = judgedQuestions(measured);
  const whole = partOf(ways, judged, seed);
  const rival = whole.versus?.['ndcg@10'].rival;
  const repeated = set.recorded ? repeatedQueries(set) : null;
  const fresh = repeated && new Set(set.queries.filter((_, at) => !repeated[at]).map(({ id }) => id));
  const exact = whole.ways['composite-exact'];
  const composite = whole.ways.composite;
  return {
    set: set.name,
    paragraphs: set.paragraphs.length,
    ...whole,
    ways: Object.fromEntries(Object.entries(whole.ways).filter(([way]) => !isAblation(way))),
    ablation: Object.fromEntries(
      LEGS.flatMap((leg) => {
        const figures = whole.ways[`without-${leg}`];
        return figures ? [[leg, figures]] : [];
      }),
    ),
    completionLoss: exact && composite ? exact['hit@1'] - composite['hit@1'] : null,
    withoutRepeats: fresh && {
      rule: REPEAT_RULE,
      ...partOf(
        ways,
        judged.filter(({ id }) => fresh.has(id)),
        seed,
      ),
    },
    notFound: notFoundOf(measured),
    ...decided(judged, rival),
    timed,
    facets: set.recorded ? 'recorded' : 'made',
    enrichment,
    encoder: { id: facts.encoder, dimension: facts.dimension, hash: facts.encoderHash },
    weights: facts.weights,
    seed,
    commit,
    data: set.hashes,
    notes: [...NOTES, ...hydeNotes(facts.ways, whole.ways.hyde)],
  };
};

const notFoundOf = ({ set, facts, answers }: Measured): NotFound => {
  const asked = [...answers].map(([at, { found }]) => ({ found, unanswerable: set.queries[at]?.unanswerable }));
  const unanswerable = asked.filter((one) => one.unanswerable);
  return {
    from: facts.found,
    answerable: asked.length - unanswerable.length,
    found: asked.filter((one) => !one.unanswerable && one.found).length,
    unanswerable: unanswerable.length,
    notFound: unanswerable.filter(({ found }) => !found).length,
  };
};

/** In the order of the set, whatever the order they were asked in. */
const judgedQuestions = ({ set, ways, answers }: Measured): Judged[] =>
  set.queries.flatMap(({ id, text, unanswerable }, at) => {
    const answer = answers.get(at);
    const judged = set.judged[at];
    if (!answer || !judged || unanswerable) return [];
    const scores = ways.map((way) => [way, scoresOf(answer.ways[way]?.ranked ?? [], judged)]);
    return [{ id, text, judged, answer, scores: Object.fromEntries(scores) }];
  });

const partOf = (ways: readonly EvaluationWay[], judged: readonly Judged[], seed: number): Part => ({
  queries: judged.length,
  ways: Object.fromEntries(ways.map((way) => [way, figuresOf(way, judged)])),
  versus: versus(ways, judged, seed),
});

const figuresOf = (way: EvaluationWay, judged: readonly Judged[]): WayFigures => {
  const scores = judged.map((one) => one.scores[way] ?? scoresOf([], one.judged));
  const times = judged.flatMap(({ answer }) => answer.ways[way]?.ms ?? []).sort((a, b) => a - b);
  const usage = judged.flatMap(({ answer }) => answer.ways[way]?.usage ?? []);
  const unanswered = judged.filter(({ answer }) => answer.ways[way]?.unanswered).length;
  return {
    ...meanScores(scores),
    p50Ms: times.length > 0 ? quantile(times, 0.5) : null,
    p95Ms: times.length > 0 ? quantile(times, 0.95) : null,
    ...(usage.length > 0 && { usage: usage.reduce(added) }),
    ...(unanswered > 0 && { unanswered }),
  };
};

const added = (one: ModelUsage, other: ModelUsage): ModelUsage => ({
  calls: one.calls + other.calls,
  inputTokens: one.inputTokens + other.inputTokens,
  outputTokens: one.outputTokens + other.outputTokens,
});

const isAblation = (way: string): boolean => way.startsWith('without-');
/** Composite with less, or over more candidates, is no other way. */
const isRival = (way: EvaluationWay): boolean =>
  !['composite', 'composite-exact', 'with-entities'].includes(way) && !isAblation(way);

const versus = (ways: readonly EvaluationWay[], judged: readonly Judged[], seed: number): Comparisons | null => {
  const rivals = ways.filter(isRival);
  if (rivals.length === 0 || judged.length === 0) return null;
  const random = seededRandom(seed);
  const scoreOf = (one: Judged, way: EvaluationWay, metric: Metric): number => one.scores[way]?.[metric] ?? 0;
  const mean = (way: EvaluationWay, metric: Metric): number =>
    judged.reduce((sum, one) => sum + scoreOf(one, way, metric), 0);
  return byMetric((metric): Comparison => {
    const rival = rivals.reduce((best, way) => (mean(way, metric) > mean(best, metric) ? way : best));
    const difference = bootstrapMean(
      judged.map((one) => scoreOf(one, 'composite', metric) - scoreOf(one, rival, metric)),
      random,
    );
    return { rival, difference, verdict: difference.low > 0 ? 'win' : difference.high < 0 ? 'loss' : 'open' };
  });
};

const RIVAL_SHOWN = 3;

const decided = (
  judged: readonly Judged[],
  rival: EvaluationWay | undefined,
): { won: DecidedQuestion[]; lost: DecidedQuestion[] } => {
  if (!rival) return { won: [], lost: [] };
  const ahead = (one: Judged): number => (one.scores.composite?.['hit@1'] ?? 0) - (one.scores[rival]?.['hit@1'] ?? 0);
  const shown = ({ id, text, judged: right, answer }: Judged): DecidedQuestion => ({
    id,
    text,
    right: [...right].filter(([, grade]) => grade > 0).map(([paragraph]) => paragraph),
    hits: answer.hits,
    rivalRanked: (answer.ways[rival]?.ranked ?? []).slice(0, RIVAL_SHOWN),
  });
  return {
    won: judged.filter((one) => ahead(one) > 0).map(shown),
    lost: judged.filter((one) => ahead(one) < 0).map(shown),
  };
};
