import {
  CodedError,
  EVALUATION_LIMITS,
  type EvaluationCollection,
  type IndexSpec,
  TenantId,
} from '@postmaster/contracts';
import type { Database } from '@postmaster/durable';
import { type Selectable, sql, type Transaction } from 'kysely';
import type { EmbeddingTables, EvaluationRow } from './tables.js';

type Tx = Transaction<EmbeddingTables>;

export type Evaluation = Selectable<EvaluationRow>;

/** Throws CONFLICT where the tenant has as many as it may. */
export const noteEvaluation = async (
  tx: Tx,
  tenant: TenantId,
  { id, encoder, dimension, collections }: Pick<Evaluation, 'id' | 'encoder' | 'dimension' | 'collections'>,
): Promise<void> => {
  const { count } = await tx
    .selectFrom('evaluations')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  if (Number(count) >= EVALUATION_LIMITS.perTenant)
    throw new CodedError('CONFLICT', `${count} evaluations run already; a tenant has at most that many.`, {
      next: 'Wait for one of them to end; an abandoned one goes by itself within the hour.',
    });
  await tx
    .insertInto('evaluations')
    .values({ tenant, id, encoder, dimension, collections: JSON.stringify(collections) })
    .execute();
};

/** The evaluation, in use from now on and with so many paragraphs more. Throws NOT_FOUND, TOO_LARGE. */
export const useEvaluation = async (tx: Tx, id: string, more = 0): Promise<Evaluation> => {
  const used = await tx
    .updateTable('evaluations')
    .set({ used_at: sql`now()`, paragraphs: sql`paragraphs + ${more}` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  if (!used) throw noSuchEvaluation(id);
  if (used.paragraphs > EVALUATION_LIMITS.paragraphs)
    throw new CodedError('TOO_LARGE', `An evaluation holds at most ${EVALUATION_LIMITS.paragraphs} paragraphs.`, {
      next: 'Evaluate on a part of them.',
    });
  return used;
};

const noSuchEvaluation = (id: string): CodedError =>
  new CodedError('NOT_FOUND', `There is no evaluation "${id}".`, {
    next: 'Begin one; it ends by itself an hour after its last use.',
  });

export const forgetEvaluation = (tx: Tx, id: string): Promise<unknown> =>
  tx.deleteFrom('evaluations').where('id', '=', id).execute();

/** Those that nobody used for so long. */
export const abandonedEvaluations = async (
  db: Database<EmbeddingTables>,
  idleMs: number,
): Promise<{ tenant: TenantId; id: string }[]> => {
  const { rows } = await db.asSystem((tx) =>
    sql<{ tenant: string; id: string }>`
      select tenant, id from evaluations where used_at <= now() - ${idleMs} * interval '1 millisecond'`.execute(tx),
  );
  return rows.map(({ tenant, id }) => ({ tenant: TenantId.parse(tenant), id }));
};

/** What an evaluation's points are stored under: no tenant's, for their ids are never made so. */
export const storeTenantOf = (id: string): TenantId => TenantId.parse(`evaluation-${id}`);

export const indexesOf = ({
  id,
  encoder,
  dimension,
  collections,
}: Pick<Evaluation, 'id' | 'encoder' | 'dimension' | 'collections'>): {
  collection: EvaluationCollection;
  index: IndexSpec;
}[] =>
  collections.map((collection) => ({
    collection,
    index: { name: `evaluation-${id}-${collection}`, encoder, dimension },
  }));
