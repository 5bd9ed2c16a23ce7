import { writeBlocks, type Draft } from '../../plain-text.js';
import { regionsOf } from './columns.js';
import type { PageText } from './fragments.js';
import { withoutFurniture } from './furniture.js';
import { joinBlocks } from './join-blocks.js';
import { lineJoiner } from './join-lines.js';
import { linesOf, type Line } from './lines.js';
import { paragraphsOf } from './paragraphs.js';
import { stylesOf } from './styles.js';

/** Text that stands on pages, as blocks in reading order. `outline` has the titles of headings, with their depth. */
export const blocksOfPages = (
  pages: readonly PageText[],
  outline: ReadonlyMap<string, number> = new Map(),
): Pick<Draft, 'text' | 'blocks' | 'pageStarts'> => {
  const regions = withoutFurniture(pages).flatMap(({ fragments, aside }, index) => [
    ...regionsOf(fragments).map((region) => ({ lines: linesOf(region, index + 1), isAside: false })),
    ...regionsOf(aside).map((region) => ({ lines: linesOf(region, index + 1), isAside: true })),
  ]);
  const lines: Line[] = regions.flatMap((region) => (region.isAside ? [] : region.lines));
  const join = lineJoiner(lines.map(({ text }) => text));
  const styles = stylesOf(lines, outline);
  const blocks = joinBlocks(
    regions.flatMap((region) => paragraphsOf(region.lines, styles, join, region.isAside)),
    join,
  );
  return writeBlocks(blocks);
};
