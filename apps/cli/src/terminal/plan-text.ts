import type { Plan, PlanCondition } from '../client/shapes.js';
import type { Paint } from './colours.js';
import { oneLine } from './printable.js';

/** How a request was read, line by line; what it holds nothing of is left out. */
export const planText = ({ query, planning, reading, cost }: Plan, { paint }: { paint: Paint }): string => {
  const { kind, searchText, keywords, entities, dates, conditions, favour, variations } = reading;
  const factors = Object.entries(favour).flatMap(([leg, by]) => (by === null ? [] : [`${leg} × ${by}`]));
  const lines: [string, readonly string[]][] = [
    ['text', searchText === query ? [] : [searchText]],
    ['only', conditions.map(conditionText)],
    ['dates', dates.map(({ words, from, to }) => `${words} (${periodText(from, to)})`)],
    ['names', entities.map(({ text, role }) => (role === 'SENDER' ? `${text} (sender)` : text))],
    ['keywords', keywords.length > 0 ? [keywords.join(', ')] : []],
    ['favours', factors.length > 0 ? [factors.join(', ')] : []],
    ['also', variations.map(({ text }) => text)],
  ];
  const head = `${paint.bold('plan')} ${kind.toLowerCase()}, by ${planning.toLowerCase()}`;
  const model =
    cost.modelCalls > 0 ? `, ${cost.modelCalls} model calls, ${cost.inputTokens + cost.outputTokens} tokens` : '';
  return [
    `${head} ${paint.dim(`(${cost.tookMs.toFixed(1)} ms${model})`)}`,
    ...lines.flatMap(([name, all]) =>
      all.map((line, at) => `  ${paint.cyan((at === 0 ? name : '').padEnd(9))}${oneLine(line)}`),
    ),
  ].join('\n');
};

const conditionText = ({ field, key, equals, oneOf, allOf, from, to, certainty, words }: PlanCondition): string => {
  const name = field === 'METADATA' ? (key ?? '') : field.toLowerCase().replace('_', ' ');
  const value = oneOf?.join(' or ') ?? allOf?.join(' and ') ?? (from || to ? periodText(from, to) : String(equals));
  return `${name}: ${value} [${certainty.toFixed(2)}${words && `, “${words}”`}]`;
};

const periodText = (from?: string | null, to?: string | null): string =>
  [from && `from ${day(from)}`, to && `to before ${day(to)}`].filter(Boolean).join(' ');

const day = (moment: string): string => moment.replace(/T00:00:00(\.000)?Z$/, '');
