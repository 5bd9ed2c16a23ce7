import type { HitParagraph, TenantId } from '@postmaster/contracts';
import type { CandidateStore, Span } from './candidate-store.js';
import { hitParagraph } from './explain-hit.js';

/** A paragraph that an answer may cite as [marker]. */
export interface Numbered {
  marker: number;
  paragraph: HitParagraph;
  /** The larger passage that it is a part of, which a model reads in its place; places are of the document. */
  read?: Pick<HitParagraph, 'start' | 'end' | 'text'>;
}

/** Paragraphs that follow each other under the same headings, in the document's order: read as one source. */
export type Passage = [Numbered, ...Numbered[]];

/** So many of the best sources are given their neighbours. */
const JOINED = 8;

/**
 * The sources with the paragraph before and after each of the best, joined into passages where they belong together: of
 * one version of one document, next to each other, under the same headings. Sources keep their markers, neighbours get
 * those after them, so that a citation still names its own paragraph. Passages stand in the order of their best source.
 * A document that is read in larger passages needs no neighbours.
 * One read of the store; throws what it throws.
 */
export const joinNeighbours = async (
  store: Pick<CandidateStore, 'read'>,
  tenant: TenantId,
  index: string,
  sources: readonly Numbered[],
): Promise<Passage[]> => {
  const whole = new Set(sources.filter(({ read }) => read).map(({ paragraph }) => paragraph.document));
  const joined = sources
    .slice(0, JOINED)
    .map(({ paragraph }) => paragraph)
    .filter(({ document }) => !whole.has(document));
  if (joined.length === 0) return passagesOf(sources);
  const spans = joined.map(({ document, position }): Span => ({ document, from: position - 1, to: position + 1 }));
  const near = await store.read(tenant, index, { spans }, 3 * spans.length);
  const known = new Set(sources.map(({ paragraph }) => paragraph.id));
  const neighbours = near
    .map(hitParagraph)
    .filter((paragraph) => !known.has(paragraph.id) && joined.some((source) => adjoins(source, paragraph)))
    .map((paragraph, i): Numbered => ({ marker: sources.length + i + 1, paragraph }));
  return passagesOf([...sources, ...neighbours]);
};

const adjoins = (one: HitParagraph, other: HitParagraph): boolean =>
  one.document === other.document &&
  one.version === other.version &&
  Math.abs(one.position - other.position) === 1 &&
  one.trail.join('\n') === other.trail.join('\n');

/** Paragraphs with numbers as passages, without a look at the store. */
export const passagesOf = (paragraphs: readonly Numbered[]): Passage[] => {
  const passages: Passage[] = [];
  for (const one of [...paragraphs].sort(inDocument)) {
    const passage = passages.at(-1);
    const before = passage?.at(-1);
    if (before && !before.read && !one.read && adjoins(before.paragraph, one.paragraph)) passage!.push(one);
    else passages.push([one]);
  }
  return passages.sort((a, b) => leastMarker(a) - leastMarker(b));
};

const leastMarker = (passage: Passage): number => Math.min(...passage.map(({ marker }) => marker));

const inDocument = ({ paragraph: a }: Numbered, { paragraph: b }: Numbered): number =>
  a.document === b.document ? a.version - b.version || a.position - b.position : a.document < b.document ? -1 : 1;
