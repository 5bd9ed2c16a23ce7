import type { Measured } from './measure-set.js';

/** A run file of TREC per way, by the file's name: query, Q0, paragraph, rank, score (falling with the rank), way. */
export const trecRuns = ({ set, ways, answers }: Measured): Map<string, string> =>
  new Map(
    ways.map((way) => {
      const lines = set.queries.flatMap(({ id }, at) =>
        (answers.get(at)?.ways[way]?.ranked ?? []).map(
          (paragraph, rank) => `${word(id)} Q0 ${word(paragraph)} ${rank + 1} ${1 / (rank + 1)} ${way}\n`,
        ),
      );
      return [`${way}.run`, lines.join('')];
    }),
  );

/** Columns are parted by white space. */
const word = (id: string): string => id.replace(/\s/gu, '_');
