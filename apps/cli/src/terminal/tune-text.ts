import { LEGS } from '@postmaster/contracts';
import type { TuneReport } from '@postmaster/evaluation';
import { count } from './figures.js';
import type { Screen } from './screen.js';
import { table } from './table.js';

/** The fit for a terminal; the folds' figures are in --json. */
export const tuneText = (
  report: TuneReport,
  /** The tenant for which the weights count now. */
  appliedTo: string | null,
  { columns, paint }: Pick<Screen, 'columns' | 'paint'>,
): string => {
  const { set, questions, documents, defaults, weights, folds, train, heldOut } = report;
  const legs = table(
    [
      { title: 'leg', shrinks: true },
      ...defaults.map((_, at) => ({ title: at === 0 ? 'default' : `default ${at + 1}`, right: true })),
      { title: 'fitted', right: true },
      { title: 'in the folds', right: true },
    ],
    LEGS.map((leg) => {
      const own = folds.map((fold) => fold.weights[leg]);
      const range = `${Math.min(...own).toFixed(3)}…${Math.max(...own).toFixed(3)}`;
      return [leg, ...defaults.map((one) => one[leg].toFixed(3)), weights[leg].toFixed(3), range];
    }),
    columns,
  );
  const scores = table(
    [{ title: 'nDCG@10' }, { title: 'default', right: true }, { title: 'fitted', right: true }],
    [
      ['on the questions fitted on', train.default.toFixed(4), train.fitted.toFixed(4)],
      ['on questions not fitted on', heldOut.default.toFixed(4), heldOut.fitted.toFixed(4)],
    ],
    columns,
  );
  return [
    paint.bold(`${set}: ${count(questions, 'question')} over ${count(documents, 'separate document')}`),
    legs,
    scores,
    `${verdictOf(report)}${report.verdict === 'better' ? storedText(appliedTo) : ''}`,
  ].join('\n\n');
};

const storedText = (tenant: string | null): string =>
  tenant === null
    ? ' --apply has them count.'
    : ` They count now for the questions of "${tenant}" that name no weights.`;

const verdictOf = ({ verdict, heldOut: { difference, better, worse } }: TuneReport): string => {
  const { mean, low, high } = difference;
  const signed = (value: number): string => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(4)}`;
  const measured = `${signed(mean)} nDCG@10 on questions not fitted on, 95 % interval ${signed(low)} to ${signed(high)}; ${better} better, ${worse} worse.`;
  switch (verdict) {
    case 'better':
      return `The fitted weights beat the default: ${measured}`;
    case 'worse':
      return `Refused: the fitted weights do worse than the default: ${measured} Keep the default.`;
    case 'open':
      return `Refused: the fitted weights are not shown to beat the default: ${measured} Keep the default, or judge more questions.`;
  }
};
