import { promptLanguage } from '../prompt/prompt-tasks.js';

/** Code points that one call is shown: what it says of them, with the prompt of about 1,100 tokens, fits a window of 8,192. */
export const PART = 5_000;
/** Of short ones; more, and a model leaves some out. */
export const MOST_TOGETHER = 8;

export interface PartText {
  text: string;
  language: string | null;
}

/** Paragraphs in their order that are asked about together: of one language of prompts, and as many as a call is shown. */
export const entityParts = <P extends PartText>(paragraphs: readonly P[]): P[][] => {
  const open = new Map<string, { part: P[]; size: number }>();
  const parts: P[][] = [];
  for (const paragraph of paragraphs) {
    const written = promptLanguage(paragraph.language);
    const size = paragraph.text.length;
    const now = open.get(written);
    if (now && now.part.length < MOST_TOGETHER && now.size + size <= PART) {
      now.part.push(paragraph);
      now.size += size;
    } else {
      const part = [paragraph];
      parts.push(part);
      open.set(written, { part, size });
    }
  }
  return parts;
};
