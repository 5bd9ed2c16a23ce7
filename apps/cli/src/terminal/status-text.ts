import type { ServerStatus } from '../commands/status.js';
import type { Paint } from './colours.js';
import { oneLine } from './printable.js';

export const statusText = (status: ServerStatus, paint: Paint): string => {
  const { url, data, version, tenant, facetModel, encoder, paused } = status;
  const lines: [string, string | null][] = [
    ['data', data],
    ['tenant', tenant && `${tenant.id}, paragraphs of ${tenant.paragraphWords} words`],
    ['model', facetModel ? modelText(facetModel) : 'can not be told now'],
    [
      'encoder',
      encoder ? `${encoder.id}, ${encoder.dimension} dimensions, ${encoder.maxTokens} tokens` : 'can not be told now',
    ],
    ['documents', documentsText(status.documents)],
    ...paused.map((why): [string, string] => [
      'waits',
      paint.yellow(`${why.code}: ${oneLine(why.message)} → ${oneLine(why.next)}`),
    ]),
  ];
  return [
    paint.bold(`Postmaster ${version} at ${url}`),
    ...lines.flatMap(([name, value]) => (value ? [`  ${paint.dim(name.padEnd(10))}${value}`] : [])),
  ].join('\n');
};

const modelText = ({ id, remote, concurrency }: NonNullable<ServerStatus['facetModel']>): string =>
  id === 'extractive'
    ? 'extractive: none is configured, so facets are taken from the text itself'
    : `${id}, ${remote ? 'not on this machine' : 'on this machine'}, ${concurrency} calls at once`;

const documentsText = (counts: ServerStatus['documents']): string => {
  const known = Object.values(counts).filter((n) => n !== null);
  if (known.length === 0) return 'can not be counted now';
  const parts = Object.entries(counts).flatMap(([name, n]) => (n ? [`${n} ${name}`] : []));
  return parts.length > 0 ? parts.join(', ') : 'none';
};
