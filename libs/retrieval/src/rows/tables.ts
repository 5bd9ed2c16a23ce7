import type { TenantId, FeedbackVerdict } from '@postmaster/contracts';
import type { ColumnType, Selectable } from 'kysely';

export interface RetrievalTables {
  feedback: FeedbackRow;
  /** Of which something was said. Whoever writes locks the row, so that a deletion and what comes late are in order. */
  documents: { tenant: TenantId; document: string; deleted: boolean };
}

interface FeedbackRow {
  id: string;
  tenant: TenantId;
  query: string;
  verdict: FeedbackVerdict;
  /** Of a hit: null. */
  answer: string | null;
  /** The hit, or what the answer cites. */
  paragraphs: string[];
  /** Whose those are, and whose text the answer may repeat. */
  documents: string[];
  note: string | null;
  given_by: string;
  given_at: ColumnType<Date, Date, never>;
}

export type StoredFeedback = Selectable<FeedbackRow>;
