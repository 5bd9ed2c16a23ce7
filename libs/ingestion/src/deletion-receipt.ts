import {
  CodedError,
  deletionRequests,
  ErasingService,
  failureOf,
  isComplete,
  isId,
  MOST_COUNTED,
  type PlaceLeft,
  type Requests,
  type ServiceLeft,
  type TenantId,
} from '@postmaster/contracts';
import type { Database } from '@postmaster/durable';
import { sql } from 'kysely';
import type { IngestionTables } from './rows/tables.js';

/** What is left of a document that was deleted, or of all that a job deleted. */
export interface DeletionReceipt {
  /** Of the document or the job. */
  id: string;
  /** How many documents it is about, those included that were found in them. */
  documents: number;
  deletedAt: Date;
  /** When it was counted. */
  checkedAt: Date;
  /** Nothing is left anywhere, and every service said so. */
  complete: boolean;
  services: ServiceLeft[];
}

interface ReceiptPorts {
  db: Database<IngestionTables>;
  requests: Pick<Requests, 'ask'>;
  sign: (tenant: TenantId) => Promise<string>;
  now: () => Date;
  /** Hears of failures that nobody foresaw. */
  onError: (error: unknown) => void;
}

/**
 * Counts what is left, anew at each call, by asking every service for its own; null where nothing of that id was
 * deleted. A job that is still going on is about what it has deleted so far, and is not complete.
 */
export const deletionReceipt =
  ({ db, requests, sign, now, onError }: ReceiptPorts) =>
  async (tenant: TenantId, id: string): Promise<DeletionReceipt | null> => {
    const deleted = await findDeletion(db, tenant, id);
    if (!deleted) return null;
    const found = new Map<ErasingService, ServiceLeft>(
      ErasingService.options.map((service) => [service, { service, places: [], failure: null }]),
    );
    let documents = 0;
    for await (const some of pagesOf(db, tenant, id)) {
      documents += some.length;
      await Promise.all(
        [...found.values()].map(async (one) => {
          if (one.failure) return;
          try {
            const { countDocuments } = deletionRequests(ErasingService.parse(one.service));
            const { places } = await requests.ask(countDocuments, await sign(tenant), { documents: some });
            one.places = added(one.places, places);
          } catch (error) {
            if (!(error instanceof CodedError)) onError(error);
            one.failure = failureOf(error);
          }
        }),
      );
    }
    const services = [...found.values()];
    return {
      ...{ id, documents, deletedAt: deleted.at, checkedAt: now() },
      complete: deleted.ended && isComplete(services),
      services,
    };
  };

const findDeletion = (
  db: Database<IngestionTables>,
  tenant: TenantId,
  id: string,
): Promise<{ at: Date; ended: boolean } | null> =>
  db.asTenant(tenant, async (tx) => {
    if (!isId(id)) return null;
    const document = await tx
      .selectFrom('documents')
      .select('deleted_at')
      .where('id', '=', id)
      .where('status', '=', 'DELETED')
      .executeTakeFirst();
    if (document) return { at: document.deleted_at ?? new Date(0), ended: true };
    const job = await tx
      .selectFrom('bulk_jobs')
      .select(['started_at', 'status', 'failed'])
      .where('id', '=', id)
      .where('kind', '=', 'DELETE')
      .executeTakeFirst();
    return job ? { at: job.started_at, ended: job.status === 'DONE' && job.failed === 0 } : null;
  });

/** The ids of the documents, and of those that were found in them; as many at a time as one question takes. */
async function* pagesOf(db: Database<IngestionTables>, tenant: TenantId, id: string): AsyncGenerator<string[]> {
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const ids = await db.asTenant(tenant, async (tx) => {
      const { rows } = await sql<{ id: string }>`
        select id from documents
        where (id = ${id} or deletion = ${id} or root = ${id}) and status = 'DELETED' and id > ${after}
        order by id limit ${MOST_COUNTED}`.execute(tx);
      return rows.map((row) => row.id);
    });
    if (ids.length > 0) yield ids;
    const last = ids.at(-1);
    if (last === undefined || ids.length < MOST_COUNTED) return;
    after = last;
  }
}

/** What is kept goes at the latest of its times; what stays stays. */
const added = (before: readonly PlaceLeft[], more: readonly PlaceLeft[]): PlaceLeft[] =>
  more.map(({ place, left, kept }) => {
    const sum = before.find((one) => one.place === place);
    const both =
      sum?.kept && kept ? { ...kept, count: sum.kept.count + kept.count, until: later(sum.kept, kept) } : null;
    return { place, left: left + (sum?.left ?? 0), kept: both ?? kept ?? sum?.kept ?? null };
  });

const later = (one: { until: string | null }, other: { until: string | null }): string | null =>
  one.until === null || other.until === null ? null : one.until > other.until ? one.until : other.until;
