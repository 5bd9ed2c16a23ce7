import type { Document, StageCounts } from './document.js';

/** How long until the document is READY, going by its pace so far; null while there is no pace to go by. */
export const secondsLeft = (
  { total, textDone, textFailed, facetsDone, facetsFailed }: StageCounts,
  { acceptedAt, status }: Pick<Document, 'acceptedAt' | 'status'>,
  now: Date,
): number | null => {
  if (status === 'READY' || status === 'FAILED' || status === 'DELETED') return 0;
  const ended = textDone + textFailed + facetsDone + facetsFailed;
  if (ended === 0) return null;
  const seconds = (now.getTime() - acceptedAt.getTime()) / 1000;
  return Math.round(((2 * total - ended) / ended) * seconds);
};
