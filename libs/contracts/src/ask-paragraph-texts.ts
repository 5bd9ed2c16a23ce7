import type { Failure } from './failure.js';
import type { TenantId } from './ids.js';
import type { IdentitySeal } from './identity.js';
import { hopeless, type Outcome, retry } from './outcome.js';
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

/** Texts of paragraphs whose rows have none. Throws SERVICE_UNAVAILABLE, TIMED_OUT. */
export type ReadTexts = (tenant: TenantId, ids: readonly string[]) => Promise<AskedTexts>;

/** Work in the background waits so long for a file to be read. */
const WITHIN_MS = 25_000;

/** From ingestion, which reads them from their files, in the name of the service `subject`. */
export const readTexts =
  ({ requests, seal }: { requests: Requests; seal: Pick<IdentitySeal, 'sign'> }, subject: string): ReadTexts =>
  async (tenant, ids) => {
    if (ids.length === 0) return { texts: new Map(), failures: new Map() };
    const token = await seal.sign({ tenant, subject, scopes: ['read'] });
    return askParagraphTexts(requests, token, ids, WITHIN_MS);
  };

const READ_AGAIN_MS = 2_000;

/** What follows for the work of a paragraph: a file that changed is read anew as another version, one not read in time again. */
export const unreadOutcome = (why: Failure): Outcome =>
  why.code.startsWith('SOURCE_') ? hopeless(why) : retry(READ_AGAIN_MS, why);
