/** Whose work is to be seen soon, and whose is not; as jobs have it. */
type Lane = 'interactive' | 'bulk';
/** What a call is for: a paragraph's facets, or what is told of a document as a whole. */
type Purpose = 'facets' | 'document';

/**
 * Lets so many in at once. Interactive work goes before bulk, and in each the facets, which searches live on, before
 * what is told of documents: that waits a minute at most before it goes ahead of other bulk.
 */
export interface ModelGate {
  /** Resolves with the way out. */
  enter(lane: Lane, purpose: Purpose): Promise<() => void>;
}

interface Waiting {
  enter: () => void;
  since: number;
}

const AGED_MS = 60_000;

/** @param now in milliseconds */
export const modelGate = (places: number, now = (): number => performance.now()): ModelGate => {
  const lines: Record<Lane, Record<Purpose, Waiting[]>> = {
    interactive: { facets: [], document: [] },
    bulk: { facets: [], document: [] },
  };
  let free = places;
  const next = (): Waiting | undefined => {
    const { interactive, bulk } = lines;
    const eldest = bulk.document[0];
    const aged = eldest && now() - eldest.since >= AGED_MS ? bulk.document : [];
    return [interactive.facets, interactive.document, aged, bulk.facets, bulk.document]
      .find((line) => line.length > 0)
      ?.shift();
  };
  /** Its holder's place goes on to the next in line, once. */
  const wayOut = (): (() => void) => {
    let inside = true;
    return () => {
      if (!inside) return;
      inside = false;
      const one = next();
      if (one) one.enter();
      else free++;
    };
  };
  return {
    enter: async (lane, purpose) => {
      if (free > 0) free--;
      else await new Promise<void>((enter) => lines[lane][purpose].push({ enter, since: now() }));
      return wayOut();
    },
  };
};
