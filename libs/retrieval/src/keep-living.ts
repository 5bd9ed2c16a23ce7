import { failure, livingParagraphs, type Notice, type Requests } from '@postmaster/contracts';
import type { Fold } from './fold-repeats.js';

/** A search waits no longer for the owner of its paragraphs. */
const PATIENCE_MS = 500;
/** The owner is asked about so many paragraphs at once. */
export const MOST_CHECKED = 200;

/**
 * Leaves out what the owner of the paragraphs says is gone; where it was the best of a fold, the next one takes its
 * place. Where the owner answers late or not at all, everything stays, with a notice: an index that is a moment behind
 * is better than no answer.
 */
export const keepLiving = async <T extends { candidate: { id: string } }>(
  requests: Requests,
  token: string,
  likely: readonly Fold<T>[],
): Promise<{ kept: Fold<T>[]; dropped: number; notices: Notice[] }> => {
  if (likely.length === 0) return { kept: [], dropped: 0, notices: [] };
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('late')), PATIENCE_MS);
  });
  try {
    const ids = likely.flat().map(({ candidate }) => candidate.id);
    const { living } = await Promise.race([requests.ask(livingParagraphs, token, { ids }), patience]);
    const alive = new Set(living);
    const kept = likely.flatMap((fold): Fold<T>[] => {
      const [best, ...repeats] = fold.filter(({ candidate }) => alive.has(candidate.id));
      return best ? [[best, ...repeats]] : [];
    });
    return { kept, dropped: ids.length - kept.flat().length, notices: [] };
  } catch {
    return { kept: [...likely], dropped: 0, notices: [UNCHECKED] };
  } finally {
    clearTimeout(timer);
  }
};

const UNCHECKED = failure(
  'SERVICE_UNAVAILABLE',
  'The owner of the documents does not answer: a hit may belong to a document that was just deleted or replaced.',
);
