import type { QuestionKind } from '@postmaster/contracts';

/** [field, or a metadata key; value, several joined by "|", dates as from/to; the words of the request] */
export type ExpectedCondition = readonly [field: string, value: string, words: string];

export interface PlanRequest {
  request: string;
  kind: QuestionKind;
  /** The search text; the request itself where absent. */
  text?: string;
  conditions?: readonly ExpectedCondition[];
  sender?: string;
}

export const MAIL = ['content-type', 'message/rfc822'] as const;
export const PDF = ['content-type', 'application/pdf'] as const;
export const SCAN = ['content-type', 'application/pdf|image/png'] as const;
export const RECEIPT = ['type', 'receipt'] as const;
export const INVOICE = ['type', 'faktura'] as const;
