import type { Document, FacetedParagraph, Failure } from '../client/shapes.js';
import type { Paint } from './colours.js';
import { count, duration } from './figures.js';
import { oneLine, printable } from './printable.js';
import { wrap } from './wrap.js';

const TEXT_COLUMNS = 100;

export const documentText = (document: Document, paint: Paint): string => {
  const { progress, failure, degraded } = document;
  const lines: [string, string | null][] = [
    ['id', `${document.id}, version ${document.version}`],
    ['status', statusText(document)],
    ['type', [document.contentType, document.language].filter(Boolean).join(', ')],
    ['source', `${document.sourceType}: ${oneLine(document.sourceUri ?? document.sourceId)}`],
    ['collection', document.collection && oneLine(document.collection)],
    ['added', document.addedAt],
    ['created', document.createdAt],
    ['failure', failure && failureText(failure)],
    ['waits', progress.paused && failureText(progress.paused)],
    ...degraded.map((given): [string, string] => ['given up', failureText(given)]),
  ];
  const shown = lines.flatMap(([name, value]) => (value ? [`  ${paint.dim(name.padEnd(11))}${value}`] : []));
  return [paint.bold(oneLine(document.title)), ...shown].join('\n');
};

const statusText = ({ status, progress }: Document): string => {
  const { total, indexed, enriched, failed, secondsLeft } = progress;
  if (total === 0) return status;
  const parts = [`${count(total, 'paragraph')}`, `${indexed} with text`, `${enriched} with facets in the index`];
  if (failed > 0) parts.push(`${failed} without, given up`);
  if (secondsLeft !== null && status !== 'READY' && status !== 'FAILED')
    parts.push(`about ${duration(secondsLeft)} left`);
  return `${status} · ${parts.join(', ')}`;
};

const failureText = ({ code, message, next }: Failure): string =>
  `${code}: ${oneLine(message)}\n${' '.repeat(13)}→ ${oneLine(next)}`;

/** A paragraph and what is asked and said of it. */
export const facetedText = (
  { position, page, trail, text, facets }: FacetedParagraph,
  { paint, columns }: { paint: Paint; columns: number | undefined },
): string => {
  const width = Math.min(columns ?? TEXT_COLUMNS, TEXT_COLUMNS);
  const where = [`#${position ?? '?'}`, ...(page === null ? [] : [`page ${page}`]), ...(trail ?? []).map(oneLine)];
  const said = (name: string, texts: readonly string[]): string[] =>
    texts.flatMap((one) => (one === '' ? [] : [wrap(`${name}: ${oneLine(one)}`, width, '    ')]));
  return [
    paint.bold(where.join(' · ')),
    wrap(printable(text ?? '(its text can not be read now)'), width, '  '),
    ...(facets
      ? [
          paint.dim(`    facets by ${facets.model}`),
          ...said(
            'simple',
            facets.simpleQuestions.map((question) => question.text),
          ),
          ...said(
            'complex',
            facets.complexQuestions.map((question) => question.text),
          ),
          ...said('context', [facets.context]),
          ...said('scope', [facets.scope]),
        ]
      : [paint.dim('    no facets yet')]),
  ].join('\n');
};
