import {
  CodedError,
  type Failure,
  failureOf,
  hashOf,
  type ParagraphText,
  paragraphTexts,
  type Requests,
  type TenantId,
} from '@postmaster/contracts';
import type { Database } from '@postmaster/durable';
import { sql } from 'kysely';
import { wantScan } from '../rows/folders.js';
import { sourceOf } from '../rows/sources.js';
import type { IngestionTables } from '../rows/tables.js';
import type { FileReference } from './folder.js';
import type { ReadSource, SourceText, WantedSource } from './source-texts.js';

export interface TextPorts {
  db: Database<IngestionTables>;
  readSource: ReadSource;
  onError: (error: unknown) => void;
}

export interface ReadTexts {
  texts: ParagraphText[];
  failures: { id: string; failure: Failure }[];
}

interface Row {
  id: string;
  document: string;
  hash: string;
  newest: string;
  name: string;
  reference: FileReference;
  start: number;
  end: number;
  textHash: string;
}

const NEIGHBOUR = 400;

/**
 * The texts of paragraphs that are stored by reference. A file that is gone, or has changed, has its folder looked at;
 * what its paragraphs said is not told any more.
 */
export const readParagraphTexts =
  (ports: TextPorts) =>
  async (tenant: TenantId, ids: readonly string[], withinMs: number): Promise<ReadTexts> => {
    const rows = await ports.db.asTenant(tenant, async (tx) => {
      const found = await sql<Row>`
        select distinct on (p.id) p.id, p.document, p.start_at as start, p.end_at as "end", p.text_hash as "textHash",
          d.name, d.reference, d.blob_hash as newest, case when p.version = d.active_version then d.active_blob_hash else d.blob_hash end as hash
        from paragraphs p join documents d on d.tenant = p.tenant and d.id = p.document
        where p.id = any(${[...ids]}) and d.reference is not null and d.status <> 'DELETED'
        order by p.id, p.version desc`.execute(tx);
      return found.rows;
    });
    const byFile = new Map<string, Row[]>();
    for (const row of rows) {
      const key = `${row.document} ${row.hash}`;
      byFile.set(key, [...(byFile.get(key) ?? []), row]);
    }
    const read: ReadTexts = { texts: [], failures: [] };
    await Promise.all(
      [...byFile.values()].map(async (some) => {
        try {
          const source = await within(withinMs, readDocument(ports, tenant, some[0]!)); // none is empty
          read.texts.push(...some.map((row) => textOf(row, source)));
        } catch (error) {
          const failure = failureOf(error);
          if (!(error instanceof CodedError)) ports.onError(error);
          read.failures.push(...some.map(({ id }) => ({ id, failure })));
        }
      }),
    );
    return read;
  };

export const answerParagraphTexts = (requests: Requests, ports: TextPorts): void => {
  const read = readParagraphTexts(ports);
  requests.answer(paragraphTexts, ({ tenant }, { ids, withinMs }) => read(tenant, ids, withinMs));
};

/** Throws SOURCE_GONE and SOURCE_CHANGED, after it has asked for the look that tells what became of the file. */
export const readDocument = async (
  { db, readSource }: TextPorts,
  tenant: TenantId,
  { hash, newest, name, reference }: Pick<WantedSource, 'hash' | 'name'> & { newest: string; reference: FileReference },
): Promise<SourceText> => {
  try {
    const file = await db.asTenant(tenant, (tx) => sourceOf(tx, { reference, name, blob_hash: newest }));
    if (!file) throw new Error('A reference has a file.');
    return await readSource(tenant, { file, name, hash });
  } catch (error) {
    if (error instanceof CodedError && error.code.startsWith('SOURCE_'))
      await db.asTenant(tenant, (tx) => wantScan(tx, tenant, reference.folder, 'interactive'));
    throw error;
  }
};

const textOf = ({ id, start, end, textHash, name }: Row, { points, trailAt }: SourceText): ParagraphText => {
  const text = points.slice(start, end);
  // another version of the parser may make another text of the same bytes
  if (hashOf(text) !== textHash)
    throw new CodedError('SOURCE_CHANGED', `The text of the file "${name}" is not what it was when it was read.`);
  const before = points.slice(Math.max(0, start - NEIGHBOUR), start).trim();
  return { id, text, trail: trailAt(start), before, after: points.slice(end, end + NEIGHBOUR).trim() };
};

const within = async <T>(ms: number, reading: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  reading.catch(() => {}); // when it fails after its time, nobody waits for it any more
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new CodedError('TIMED_OUT', `A file was not read within ${ms} ms.`)), ms);
  });
  try {
    return await Promise.race([reading, late]);
  } finally {
    clearTimeout(timer);
  }
};
