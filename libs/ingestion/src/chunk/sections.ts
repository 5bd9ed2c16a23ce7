import type { Block } from '../block.js';
import type { CodePoints } from './code-points.js';
import { countWords } from './count-words.js';

/** A block with its text, as the merging sees it. A heading with nothing beneath it counts as text. */
export interface Part extends Block {
  kind: 'text' | 'table' | 'list' | 'code';
  text: string;
  words: number;
}

/** Blocks that stand under the same headings and begin on the same page, with no heading between them. */
export interface Section {
  trail: string[];
  /** Where the last heading above it starts; -1 where there is none. */
  under: number;
  /** How many asides are before it: no paragraph goes over one. */
  stretch: number;
  parts: Part[];
}

/** Longer "headings" are text in large type. */
const MAX_HEADING_WORDS = 30;

type Read = Block & { kind: Exclude<Block['kind'], 'aside'>; stretch: number };

const partOf = ({ stretch: _, ...block }: Read, points: CodePoints): Part => {
  const text = points.slice(block.start, block.end);
  return { ...block, kind: block.kind === 'heading' ? 'text' : block.kind, text, words: countWords(text) };
};

/**
 * The document's sections in order. Every heading is in the trail of what follows it; one that nothing stands under
 * (a heading of its level or above comes next, or the end) is a part of a section of such headings. Asides are left out.
 */
export const sectionsOf = (all: readonly Block[], points: CodePoints): Section[] => {
  const blocks = withoutAsides(all);
  const sections: (Section & { ofHeadings: boolean })[] = [];
  let above: { level: number; text: string }[] = [];
  let isOpen = false; // the last section may take more
  let under = -1;

  const add = (part: Part, ofHeadings: boolean, stretch: number): void => {
    const last = sections.at(-1);
    const samePage = last?.parts.at(-1)?.page === part.page;
    const isSame = last?.ofHeadings === ofHeadings && last.stretch === stretch;
    if (isOpen && last && isSame && samePage) last.parts.push(part);
    else sections.push({ trail: above.map((heading) => heading.text), under, stretch, parts: [part], ofHeadings });
    isOpen = true;
  };

  const levels = blocks.map((block) => (block.kind === 'heading' ? levelOf(block, points) : null));
  blocks.forEach((block, index) => {
    const level = levels[index] ?? null;
    if (level === null) return add(partOf(block, points), false, block.stretch);
    const remaining = above.filter((heading) => heading.level < level);
    if (remaining.length < above.length) isOpen = false;
    above = remaining;
    const next = levels[index + 1] ?? null;
    if (index + 1 === blocks.length || (next !== null && next <= level))
      return add(partOf(block, points), true, block.stretch);
    above.push({ level, text: points.slice(block.start, block.end).replace(/\s+/g, ' ').trim() });
    under = block.start;
    isOpen = false;
  });
  return sections;
};

const withoutAsides = (all: readonly Block[]): Read[] => {
  let stretch = 0;
  return all.flatMap((block): Read[] => {
    if (block.kind !== 'aside') return [{ ...block, kind: block.kind, stretch }];
    stretch++;
    return [];
  });
};

/** 1–6, or null for what is no heading after all. */
const levelOf = (block: Block, points: CodePoints): number | null =>
  countWords(points.slice(block.start, block.end)) <= MAX_HEADING_WORDS ? (block.level ?? 1) : null;
