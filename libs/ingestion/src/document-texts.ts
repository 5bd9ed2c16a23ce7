import { documentTexts, type Requests } from '@postmaster/contracts';
import type { Database } from '@postmaster/durable';
import { sql } from 'kysely';
import type { IngestionTables } from './rows/tables.js';

interface Row {
  id: string;
  version: number;
  title: string;
  contentType: string;
  language: string | null;
  createdAt: Date | null;
  found: Record<string, unknown>;
  text: string;
  length: number;
}

/** Gives enrichment pieces of documents. Of one that is stored by reference there is no parse, and so nothing. */
export const answerDocumentTexts = (requests: Requests, db: Database<IngestionTables>): void =>
  requests.answer(documentTexts, ({ tenant }, { documents, from, most }) =>
    db.asTenant(tenant, async (tx) => {
      const { rows } = await sql<Row>`
        select d.id, d.version, d.title, d.content_type as "contentType", d.language, p.created_at as "createdAt",
          p.metadata as found, substr(p.text, ${from + 1}::int, ${most}::int) as text, char_length(p.text) as length
        from documents d join parses p on p.tenant = d.tenant and p.blob_hash = d.blob_hash
        where d.id = any(${documents}) and d.status not in ('DELETED', 'ACCEPTED') and d.reference is null`.execute(tx);
      return { documents: rows.map((row) => ({ ...row, createdAt: row.createdAt?.toISOString() ?? null })) };
    }),
  );
