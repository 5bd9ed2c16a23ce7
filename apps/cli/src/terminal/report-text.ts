import {
  type Comparison,
  type EvaluationReport,
  type Metric,
  METRIC_NAMES,
  type WayFigures,
} from '@postmaster/evaluation';
import type { Screen } from './screen.js';
import { table } from './table.js';

const TITLES: Record<Metric, string> = {
  'hit@1': 'hit@1',
  'recall@5': 'recall@5',
  'recall@20': 'recall@20',
  'mrr@10': 'MRR@10',
  'ndcg@10': 'nDCG@10',
};

/** The report for a terminal; all of it is in --json and --html. */
export const reportText = (report: EvaluationReport, { columns, paint }: Pick<Screen, 'columns' | 'paint'>): string => {
  const { set, paragraphs, queries, ways, ablation, versus, withoutRepeats, notFound } = report;
  const shown = (rows: Iterable<readonly [string, WayFigures]>): string => figures(rows, columns);
  const parts = [
    paint.bold(`${set}: ${paragraphs} paragraphs, ${queries} questions`),
    shown(Object.entries(ways)),
    ...(versus ? [METRIC_NAMES.map((metric) => versusLine(metric, versus[metric])).join('\n')] : []),
    ...(Object.keys(ablation).length > 0
      ? [shown(Object.entries(ablation).map(([leg, row]) => [`without ${leg}`, row] as const))]
      : []),
    ...(withoutRepeats
      ? [
          paint.bold(`Without those that nearly repeat a recorded question: ${withoutRepeats.queries} questions`),
          shown(Object.entries(withoutRepeats.ways).filter(([way]) => !way.startsWith('without-'))),
          ...(withoutRepeats.versus ? [versusLine('ndcg@10', withoutRepeats.versus['ndcg@10'])] : []),
        ]
      : []),
    `Found: ${notFound.found} of ${notFound.answerable} that have an answer. Not found: ${notFound.notFound} of ${notFound.unanswerable} that have none.`,
    `${report.won.length} questions won and ${report.lost.length} lost in the first place; --html lists them with their reasons.`,
    report.notes.map((note) => paint.dim(note)).join('\n'),
  ];
  return parts.join('\n\n');
};

const HEADER = [
  { title: 'way', shrinks: true },
  ...METRIC_NAMES.map((metric) => ({ title: TITLES[metric], right: true })),
  { title: 'p50 ms', right: true },
  { title: 'p95 ms', right: true },
];

const figures = (rows: Iterable<readonly [string, WayFigures]>, columns: number | undefined): string =>
  table(
    HEADER,
    [...rows].map(([way, row]) => [
      way,
      ...METRIC_NAMES.map((metric) => row[metric].toFixed(3)),
      row.p50Ms?.toFixed(1) ?? '–',
      row.p95Ms?.toFixed(1) ?? '–',
    ]),
    columns,
  );

const SAYS = { win: 'a win', loss: 'a loss', open: 'not decided: zero is within' };

const versusLine = (metric: Metric, { rival, difference, verdict }: Comparison): string =>
  `composite less ${rival}, ${TITLES[metric]}: ${signed(difference.mean)} [${signed(difference.low)}, ${signed(difference.high)}], ${SAYS[verdict]}`;

const signed = (value: number): string => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(4)}`;
