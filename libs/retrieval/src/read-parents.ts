import { parentTexts, type Requests } from '@postmaster/contracts';
import type { NumberedHit } from './extract-answer.js';

export type ReadParents = (token: string, sources: readonly NumberedHit[]) => Promise<NumberedHit[]>;

/**
 * The sources as a model reads them: where a hit is a part of a larger passage, that passage in its place, once however
 * many of its parts were found. Where the owner does not answer they stay as they are: search has told of it already.
 */
export const readParents =
  (requests: Requests): ReadParents =>
  async (token, sources) => {
    const ids = sources.map(({ hit }) => hit.paragraph.id);
    const { parents } = await requests.ask(parentTexts, token, { ids }).catch(() => ({ parents: [] }));
    const known = new Map(parents.map((parent) => [parent.id, parent]));
    const read = new Set<string>();
    return sources.map((source) => {
      const { paragraph } = source.hit;
      const parent = known.get(paragraph.id);
      const place = `${paragraph.document} ${parent?.start}`;
      if (!parent || read.has(place)) return source;
      read.add(place);
      const { start, end, text } = parent;
      return { ...source, hit: { ...source.hit, paragraph: { ...paragraph, start, end, text } } };
    });
  };
