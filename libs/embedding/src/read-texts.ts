import {
  askParagraphTexts,
  type AskedTexts,
  type IdentitySeal,
  type Requests,
  type TenantId,
} from '@postmaster/contracts';

/** Texts of paragraphs whose rows have none. Throws SERVICE_UNAVAILABLE, TIMED_OUT. */
export type ReadTexts = (tenant: TenantId, ids: readonly string[]) => Promise<AskedTexts>;

/** Work in the background waits so long for a file to be read. */
const WITHIN_MS = 25_000;

/** From ingestion, which reads them from their files. */
export const readTexts =
  ({ requests, seal }: { requests: Requests; seal: Pick<IdentitySeal, 'sign'> }): ReadTexts =>
  async (tenant, ids) => {
    if (ids.length === 0) return { texts: new Map(), failures: new Map() };
    const token = await seal.sign({ tenant, subject: 'service:embedding', scopes: ['read'] });
    return askParagraphTexts(requests, token, ids, WITHIN_MS);
  };
