import { lettersOf, type Fragment, type PageText } from './fragments.js';

/** The share of a page's height, at its top and at its foot, where running heads, feet and page numbers stand. */
const MARGIN = 0.15;
const SAME_PLACE = 6; // points
/** Pages that repeat more than this are copies of each other, not furnished alike. */
const MOST = 0.5;

/** Running heads, running feet and page numbers: what stands in the margins of several pages in the same place, but for its numbers. */
export const withoutFurniture = (pages: readonly PageText[]): PageText[] => {
  if (pages.length < 2) return [...pages];
  const marginal = pages.map((page) => page.fragments.filter((fragment) => isMarginal(fragment, page)));
  const seen = new Map<string, { page: number; y: number }[]>();
  marginal.forEach((fragments, page) => {
    for (const fragment of fragments) {
      const key = keyOf(fragment);
      seen.set(key, [...(seen.get(key) ?? []), { page, y: fragment.y }]);
    }
  });
  const needed = Math.max(2, Math.ceil(pages.length * 0.2));
  return pages.map((page, index) => {
    const furniture = new Set(
      marginal[index]?.filter((fragment) => {
        const places = seen.get(keyOf(fragment)) ?? [];
        return (
          new Set(places.filter(({ y }) => Math.abs(y - fragment.y) < SAME_PLACE).map((place) => place.page)).size >=
          needed
        );
      }),
    );
    const isCopy = furniture.size > 3 && lettersOf([...furniture]) > lettersOf(page.fragments) * MOST;
    return isCopy ? page : { ...page, fragments: page.fragments.filter((fragment) => !furniture.has(fragment)) };
  });
};

const isMarginal = ({ y, size }: Fragment, { height }: PageText): boolean =>
  y < height * MARGIN || y - size > height * (1 - MARGIN);

const keyOf = ({ text }: Fragment): string =>
  text
    .toLowerCase()
    .replace(/\d+/g, '#')
    .replace(/^[ivxlc]+$/, '#');
