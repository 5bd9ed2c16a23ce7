import type { NewBlock } from '../../plain-text.js';
import type { JoinLines } from './join-lines.js';
import type { PdfBlock } from './paragraphs.js';

/** Joins a paragraph that runs on over the end of a column or page: it stops within a sentence, and a small letter goes on. */
export const joinBlocks = (blocks: readonly PdfBlock[], join: JoinLines): NewBlock[] => {
  const joined: (NewBlock & Pick<PdfBlock, 'last' | 'isAside'>)[] = [];
  for (const { first, last, kind, text, level, page, isAside } of blocks) {
    const before = isAside ? undefined : joined.findLast((block) => !block.isAside);
    const isBody = before && before.kind === 'text' && kind === 'text' && Math.abs(first.size - before.last.size) < 1;
    const isElsewhere = before && (first.page !== before.last.page || first.y < before.last.y);
    if (isBody && isElsewhere && !/[.!?:]["”’»)\]]*$/.test(before.text) && /^["“(]?\p{Ll}/u.test(text)) {
      const whole = join(before.text, text);
      const turn = first.page === before.last.page ? [] : [whole.length - text.length];
      Object.assign(before, { text: whole, last, pageBreaks: [...(before.pageBreaks ?? []), ...turn] });
    } else joined.push({ kind, text, level, page, last, isAside });
  }
  return joined.map(({ last: _, isAside: __, ...block }) => block);
};
