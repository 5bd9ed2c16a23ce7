import type { PointPage } from '@postmaster/embedding';

const POINTS_A_PAGE = 20_000;

/**
 * The points whose ids come next. LanceDB gives no order, so that each page is cut from all of them: what is asked for
 * once a day need not be quick, and what is handled at once is bounded.
 */
export const pageAfter = (all: ReadonlyMap<string, number>, after: string | undefined): PointPage => {
  const ids = [...all.keys()].filter((id) => after === undefined || id > after).sort();
  const page = ids.slice(0, POINTS_A_PAGE);
  const revisions = new Map(page.map((id) => [id, all.get(id) ?? 0]));
  return { revisions, ...(ids.length > page.length && { next: page.at(-1) }) };
};
