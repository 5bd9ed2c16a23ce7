import type { Left } from '../client/deletions.js';
import { oneLine } from './printable.js';
import { table } from './table.js';

/** What is left in each place, what stays there and why, and whether that is all. */
export const receiptText = ({ complete, checkedAt, services }: Left, columns: number | undefined): string => {
  const rows = services.flatMap(({ service, places, failure }) =>
    failure
      ? [[service, failure.code, '?', oneLine(failure.message)]]
      : places.map(({ place, left, kept }) => [
          service,
          place,
          String(left),
          kept
            ? `${kept.count} kept${kept.until ? ` until ${kept.until.slice(0, 10)}` : ''}: ${oneLine(kept.why)}`
            : '',
        ]),
  );
  const header = [
    { title: 'SERVICE' },
    { title: 'PLACE' },
    { title: 'LEFT', right: true },
    { title: '', shrinks: true },
  ];
  const end = complete ? 'Nothing is left' : 'Not all is gone yet';
  return `${table(header, rows, columns)}\n${end} (${checkedAt}).`;
};
