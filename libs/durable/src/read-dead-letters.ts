import {
  type DeadLetterDetails,
  type DeadLetterFacts,
  type DeadLetterFilter,
  type DeadLetterPlace,
  type DeadLetterService,
  type Failure,
  type Lane,
  TenantId,
} from '@postmaster/contracts';
import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import { SYSTEM_TENANT } from './dead-letters.js';
import { type BuriedEvent, isEvent } from './revive.js';

interface Row {
  id: string;
  tenant: string;
  source: 'job' | 'event';
  name: string;
  document: string | null;
  failure: Failure & { attempts?: number };
  at: string;
}

/** Microseconds stay, so that two that were buried within a millisecond keep their order over pages. */
const FACTS = sql`id, tenant, source, name, document, failure,
  to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at`;

const factsOf = (service: DeadLetterService, row: Row): DeadLetterFacts => {
  const { attempts, ...why } = row.failure;
  return {
    ...{ id: row.id, service, source: row.source, name: row.name, document: row.document },
    ...{ why, attempts: attempts ?? null, buriedAt: row.at },
    tenant: row.tenant === SYSTEM_TENANT ? null : TenantId.parse(row.tenant),
  };
};

export const matches = ({ source, name, document, tenant }: DeadLetterFilter): RawBuilder<boolean> => {
  const wanted = Object.entries({ source, name, document, tenant }).filter(([, value]) => value !== undefined);
  return sql<boolean>`${sql.join([sql`true`, ...wanted.map(([column, value]) => sql`${sql.ref(column)} = ${value}`)], sql` and `)}`;
};

/** Newest first, of those that the open transaction reaches. */
export const pageOfDeadLetters = async (
  tx: QueryExecutorProvider,
  service: DeadLetterService,
  { filter, first, after }: { filter: DeadLetterFilter; first: number; after?: DeadLetterPlace },
): Promise<{ letters: DeadLetterFacts[]; more: boolean }> => {
  const older = after ? sql`(at, id) < (${after.at}::timestamptz, ${after.id}::uuid)` : sql`true`;
  const { rows } = await sql<Row>`
    select ${FACTS} from dead_letters where ${matches(filter)} and ${older}
    order by dead_letters.at desc, id desc limit ${first + 1}`.execute(tx);
  return { letters: rows.slice(0, first).map((row) => factsOf(service, row)), more: rows.length > first };
};

type WholeRow = Row & { key: string; version: number; lane: Lane; event: BuriedEvent | null };

/** One with what it is about; undefined where the open transaction reaches none of this id. */
export const readDeadLetter = async (
  tx: QueryExecutorProvider,
  service: DeadLetterService,
  id: string,
): Promise<DeadLetterDetails | null> => {
  const { rows } = await sql<WholeRow>`
    select ${FACTS}, key, version, lane, event from dead_letters where id = ${id}`.execute(tx);
  const [row] = rows;
  return row ? { ...factsOf(service, row), ...payloadOf(row) } : null;
};

const SHOWN_CHARACTERS = 200_000;

/** Short enough for any reply: an event that no message could carry is shown from its beginning. */
const payloadOf = ({ source, name, key, document, version, lane, event }: WholeRow) => {
  const payload = source === 'job' ? { kind: name, key, document, version, lane } : event;
  const text = JSON.stringify(payload);
  if (text.length > SHOWN_CHARACTERS) return { payload: text.slice(0, SHOWN_CHARACTERS), cut: true };
  return { payload, cut: event !== null && !isEvent(event) && Buffer.byteLength(event.text) < event.bytes };
};
