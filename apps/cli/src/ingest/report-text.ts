import { relative } from 'node:path';
import type { Paint } from '../terminal/colours.js';
import { count, duration } from '../terminal/figures.js';
import { oneLine } from '../terminal/printable.js';
import type { Report, Reported } from './report.js';

/** A path as it is shorter to read: from here, where it lies below. */
export const shownSource = (source: string, cwd: string): string => {
  const near = /^https?:/i.test(source) ? source : relative(cwd, source);
  return oneLine(near === '' || near.startsWith('..') ? source : near);
};

export const reportText = (report: Report, cwd: string, paint: Paint): string => {
  const failed = report.documents.filter(({ outcome }) => outcome === 'failed');
  const degraded = report.documents.filter((document) => document.degraded.length > 0);
  return [
    ...failed.flatMap((document) => failedLines(document, cwd, paint)),
    ...degraded.flatMap((document) => degradedLines(document, cwd, paint)),
    summary(report, paint),
    ...leftOutLine(report.leftOut, paint),
    ...repeatedLine(report.repeated, paint),
  ].join('\n');
};

const failedLines = ({ source, failure }: Reported, cwd: string, paint: Paint): string[] => [
  `${paint.red('✗')} ${paint.bold(shownSource(source, cwd))}`,
  ...(failure ? [`  ${failure.code}: ${oneLine(failure.message)}`, `  → ${oneLine(failure.next)}`] : []),
];

const degradedLines = ({ source, degraded: [first] }: Reported, cwd: string, paint: Paint): string[] =>
  first
    ? [
        `${paint.yellow('!')} ${paint.bold(shownSource(source, cwd))} can be searched, but not all of it was made`,
        `  ${first.code}: ${oneLine(first.message)}`,
        `  → ${oneLine(first.next)}`,
      ]
    : [];

const summary = ({ totals, documents, seconds }: Report, paint: Paint): string => {
  const paragraphs = documents.reduce((sum, document) => sum + (document.paragraphs ?? 0), 0);
  const parts = [
    paint.green(`${totals.added} added`),
    `${totals.changed} changed`,
    `${totals.unchanged} unchanged`,
    totals.failed > 0 ? paint.red(`${totals.failed} failed`) : '0 failed',
    ...(totals.goingOn > 0 ? [`${totals.goingOn} still worked on`] : []),
    ...(totals.notSent > 0 ? [`${totals.notSent} not sent`] : []),
  ];
  const size = paragraphs > 0 ? `, ${count(paragraphs, 'paragraph')}` : '';
  return `${count(documents.length, 'document')}${size} in ${duration(seconds)}: ${parts.join(', ')}`;
};

const leftOutLine = (leftOut: Report['leftOut'], paint: Paint): string[] => {
  const kinds = Object.entries(leftOut).sort(([, a], [, b]) => b - a);
  if (kinds.length === 0) return [];
  const shown = kinds.slice(0, 6).map(([kind, n]) => `${n} × ${oneLine(kind)}`);
  return [
    paint.dim(
      `Left out, being of other kinds: ${shown.join(', ')}${kinds.length > 6 ? ' …' : ''}. Name one to take it.`,
    ),
  ];
};

const repeatedLine = (ids: Report['repeated'], paint: Paint): string[] =>
  ids.length === 0
    ? []
    : [
        paint.dim(
          `Left out, their Message-ID having come before: ${count(ids.length, 'mail')} (${ids.slice(0, 3).map(oneLine).join(', ')}${ids.length > 3 ? ' …' : ''}).`,
        ),
      ];
