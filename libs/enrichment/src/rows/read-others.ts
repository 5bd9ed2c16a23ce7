import type { TenantId } from '@postmaster/contracts';
import type { Database } from '@postmaster/durable';
import { sql } from 'kysely';
import type { EnrichmentTables } from './tables.js';

/** A paragraph is compared with at most so many others of its document, the same ones each time. */
const MOST_OTHERS = 48;

interface OfVersion {
  id: string;
  document: string;
  version: number;
}

/** Texts of other paragraphs of the same version, as far as there are any. */
export type ReadOthers = (paragraph: OfVersion) => Promise<string[]>;

/** Reads a document once for all its paragraphs that are judged together: it is long, and the session is everybody's. */
export const othersOf = (db: Database<EnrichmentTables>, tenant: TenantId): ReadOthers => {
  const versions = new Map<string, Promise<{ id: string; text: string }[]>>();
  return async ({ id, document, version }) => {
    const key = `${version} ${document}`;
    const texts = versions.get(key) ?? textsOf(db, tenant, document, version);
    versions.set(key, texts);
    const others = (await texts).filter((one) => one.id !== id);
    return others.slice(0, MOST_OTHERS).map(({ text }) => text);
  };
};

const textsOf = async (
  db: Database<EnrichmentTables>,
  tenant: TenantId,
  document: string,
  version: number,
): Promise<{ id: string; text: string }[]> => {
  const { rows } = await db.oneAsTenant(
    tenant,
    // an id is a hash: no part of the document goes before another
    sql<{ id: string; text: string }>`
      select id, text from paragraphs where document = ${document} and version = ${version} and text <> ''
      order by id limit ${MOST_OTHERS + 1}`,
    { patient: true }, // no place at the model waits for it
  );
  return rows;
};
