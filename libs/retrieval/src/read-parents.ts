import { parentTexts, type Requests } from '@postmaster/contracts';
import type { Numbered } from './join-neighbours.js';

export type ReadParents = (token: string, sources: readonly Numbered[]) => Promise<Numbered[]>;

/**
 * The sources, those that are parts of a larger passage with that passage to read, once however many of its parts were
 * found. Where the owner does not answer they stay as they are: search has told of it already.
 */
export const readParents =
  (requests: Requests): ReadParents =>
  async (token, sources) => {
    const ids = sources.map(({ paragraph }) => paragraph.id);
    const { parents } = await requests.ask(parentTexts, token, { ids }).catch(() => ({ parents: [] }));
    const known = new Map(parents.map((parent) => [parent.id, parent]));
    const seen = new Set<string>();
    return sources.map((source) => {
      const parent = known.get(source.paragraph.id);
      const place = `${source.paragraph.document} ${parent?.start}`;
      if (!parent || seen.has(place)) return source;
      seen.add(place);
      const { start, end, text } = parent;
      return { ...source, read: { start, end, text } };
    });
  };
