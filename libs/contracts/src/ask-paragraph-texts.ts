import type { Failure } from './failure.js';
import { type ParagraphText, paragraphTexts } from './request-types.js';
import type { Requests } from './requests.js';

export interface AskedTexts {
  texts: ReadonlyMap<string, ParagraphText>;
  /** Why there is none of a paragraph; nothing of one that is not there. */
  failures: ReadonlyMap<string, Failure>;
}

const IDS_A_CALL = 200;

/** Texts of paragraphs that are stored by reference, however many. Throws SERVICE_UNAVAILABLE, TIMED_OUT. */
export const askParagraphTexts = async (
  requests: Requests,
  token: string,
  ids: readonly string[],
  withinMs: number,
): Promise<AskedTexts> => {
  const texts = new Map<string, ParagraphText>();
  const failures = new Map<string, Failure>();
  for (let at = 0; at < ids.length; at += IDS_A_CALL) {
    const read = await requests.ask(paragraphTexts, token, { ids: ids.slice(at, at + IDS_A_CALL), withinMs });
    for (const one of read.texts) texts.set(one.id, one);
    for (const { id, failure } of read.failures) failures.set(id, failure);
  }
  return { texts, failures };
};
