import type { DeadLetter, WholeDeadLetter } from '../client/dead-letters.js';
import type { Paint } from './colours.js';
import { count } from './figures.js';
import { oneLine, printable } from './printable.js';
import { table } from './table.js';

export const addressOf = ({ service, id }: Pick<DeadLetter, 'service' | 'id'>): string => `${service}/${id}`;

/** Tenants are shown where there is more than one's to see. */
export const deadLetterTable = (letters: readonly DeadLetter[], columns: number | undefined): string => {
  if (letters.length === 0) return '';
  const tenants = new Set(letters.map(({ tenant }) => tenant)).size > 1;
  return table(
    [
      { title: 'ID' },
      ...(tenants ? [{ title: 'TENANT' }] : []),
      { title: 'WHAT' },
      { title: 'WHY' },
      { title: 'BURIED' },
      { title: 'DOCUMENT', shrinks: true },
    ],
    letters.map((letter) => [
      addressOf(letter),
      ...(tenants ? [letter.tenant ?? '-'] : []),
      `${letter.source} ${oneLine(letter.name)}`,
      letter.why.code,
      letter.buriedAt.slice(0, 16).replace('T', ' '),
      oneLine(letter.document ?? '-'),
    ]),
    columns,
  );
};

export const deadLetterText = (letter: WholeDeadLetter, paint: Paint): string => {
  const { why, attempts, payload, cut, document } = letter;
  const tries = attempts === null ? '' : `, after ${count(attempts, 'try', 'tries')}`;
  const lines: [string, string | null][] = [
    ['what', `${letter.source} ${oneLine(letter.name)}`],
    ['tenant', letter.tenant ?? 'none: it names no tenant'],
    ['document', document && oneLine(document)],
    ['buried', `${letter.buriedAt}${tries}`],
    ['why', `${why.code}: ${oneLine(why.message)}`],
    ['', `→ ${oneLine(why.next)}`],
  ];
  const shown = lines.flatMap(([name, value]) => (value ? [`  ${paint.dim(name.padEnd(11))}${value}`] : []));
  return [
    paint.bold(addressOf(letter)),
    ...shown,
    '',
    printable(typeof payload === 'string' ? payload : JSON.stringify(payload, null, 2)),
    ...(cut ? [paint.dim('Only the beginning of it is here.')] : []),
  ].join('\n');
};
