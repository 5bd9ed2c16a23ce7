import { fail, ok, type Verdict, warn } from '../finding.js';
import { count } from '../figures.js';
import type { IndexState } from './read-collections.js';

export interface WantedShape {
  /** QDRANT_SHARDS, where it is set. */
  shards?: number;
  /** QDRANT_REPLICATION. */
  copies: number;
}

/** How our collections stand, and whether they lie as configured. Pure. */
export const collectionsVerdict = (states: readonly IndexState[], wanted: WantedShape): Verdict => {
  if (states.length === 0) return ok('There is no index yet: embedding makes one with the first document.');
  const said = `${states.map(textOf).join('; ')}.`;
  const red = states.find(({ status, optimizerError }) => status === 'red' || optimizerError !== undefined);
  if (red)
    return fail(
      `${said} ${red.collection} is broken${red.optimizerError ? `: ${red.optimizerError.slice(0, 200)}` : ''}.`,
      'See Qdrant’s log and its disk; if it stays, fill a new index with `postmaster rebuild`.',
    );
  const out = states.find(({ shardsOut = 0 }) => shardsOut > 0);
  if (out)
    return warn(
      `${said} ${count(out.shardsOut ?? 0, 'copy', 'copies')} of shards of ${out.collection} do not answer or are behind.`,
      'Bring the missing Qdrant nodes back; copies catch up by themselves.',
    );
  const busy = states.find(({ status }) => status !== 'green');
  if (busy)
    return warn(
      `${said} ${busy.collection} is ${busy.status === 'yellow' ? 'being optimised; searches may be slower meanwhile' : `${busy.status}: optimising waits for the next write`}.`,
      'Nothing, unless it stays so for hours.',
    );
  const worded = states.find(({ terms, points }) => terms === undefined && points > 0);
  if (worded)
    return warn(
      `${said} ${worded.collection} was filled before words were found by their pieces: other forms of a word, and parts of compounds, are not found by it.`,
      'Fill a new index with `postmaster rebuild`; searches go on meanwhile.',
    );
  const other = states.find((one) => !liesAs(one, wanted));
  if (other)
    return warn(
      `${said} Configured are ${wanted.shards === undefined ? '' : `${count(wanted.shards, 'shard')} and `}${count(wanted.copies, 'copy', 'copies')}.`,
      'What is configured counts for collections made after it: `postmaster rebuild` fills a new one (docs/operations.md, "A larger Qdrant").',
    );
  return ok(said);
};

/** Whether the encoder's index is there, with vectors of its dimension. Pure. */
export const indexVerdict = (
  states: readonly IndexState[],
  encoder: { id: string; dimension: number },
  index: string,
): Verdict => {
  const state = states.find((one) => one.index === index);
  const others = states.filter((one) => one.points > 0 && one.index !== index);
  const wanted = `${encoder.id} gives ${encoder.dimension} dimensions`;
  if (state && state.dimension !== encoder.dimension)
    return fail(
      `${wanted}, but its index ${state.collection} holds vectors of ${state.dimension ?? 'no'} dimensions.`,
      'Restore the encoder that made it (ENCODER_MODEL), or fill a new index with `postmaster rebuild`.',
    );
  if (state) return ok(`${wanted}, and so has its index ${state.collection}.`);
  if (others.length === 0) return ok(`${wanted}; its index ${index} is made with the first document.`);
  return warn(
    `${wanted}; there is no index ${index}, but ${others.map((one) => `${one.index} with ${count(one.points, 'point')}`).join(', ')}: a tenant's documents are found with the encoder that they were taken in with.`,
    'Restore that encoder (ENCODER_MODEL), or fill a new index with `postmaster rebuild`.',
  );
};

const textOf = ({ index, status, points, dimension, shards, copies }: IndexState): string =>
  `${index}: ${status}, ${count(points, 'point')} of ${dimension ?? 'unknown'} dimensions${shards === undefined ? '' : `, ${count(shards, 'shard')}`}${copies === undefined ? '' : `, ${count(copies, 'copy', 'copies')}`}`;

const liesAs = ({ shards, copies }: IndexState, wanted: WantedShape): boolean =>
  (copies === undefined || copies === wanted.copies) &&
  (shards === undefined || wanted.shards === undefined || shards === wanted.shards);
