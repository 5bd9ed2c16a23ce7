import { CodedError, type IndexSpec, type TenantId } from '@postmaster/contracts';
import { sql, type Transaction } from 'kysely';
import type { Encoder } from '../encoder.js';
import type { EmbeddingTables } from './tables.js';

type Tx = Transaction<EmbeddingTables>;
type EncoderId = Pick<Encoder, 'id' | 'dimension'>;

/** An index that is written to now: the one that serves, or the one that is filled beside it. */
export interface Target extends IndexSpec {
  role: 'serving' | 'filling';
  slot: 0 | 1;
  mark: string;
}

/** The index that an encoder fills; other versions of it, or other dimensions, are other indexes. */
export const indexOf = (encoder: EncoderId): IndexSpec => ({
  name: `${encoder.id.toLowerCase().replace(/[^a-z0-9]+/g, '-')}-${encoder.dimension}`.slice(0, 77),
  encoder: encoder.id,
  dimension: encoder.dimension,
});

/** Where the encoder fills anew: two names take turns, so that nothing of a store is ever filled while it serves. */
export const nextIndexOf = (encoder: EncoderId, serving: string): IndexSpec => {
  const spec = indexOf(encoder);
  return { ...spec, name: serving === spec.name ? `${spec.name}-r2` : spec.name };
};

export const isOf = (encoder: EncoderId, index: Pick<IndexSpec, 'encoder' | 'dimension'>): boolean =>
  index.encoder === encoder.id && index.dimension === encoder.dimension;

/** The tenant's indexes that are written to now, the serving one first. */
export const readTargets = async (tx: Tx): Promise<Target[]> => {
  const rows = await tx
    .selectFrom('indexes')
    .selectAll()
    .where('role', '<>', 'retired')
    .orderBy('role', 'desc')
    .execute();
  return rows.map(({ name, encoder, dimension, role, slot, mark }) => ({
    ...{ name, encoder, dimension, mark: mark ?? name },
    role: role as Target['role'], // the retired ones are left out above
    slot: slot as Target['slot'], // a check of the table holds it
  }));
};

/** The same, the tenant's first index noted where there is none. */
export const targetsOf = async (tx: Tx, tenant: TenantId, encoder: EncoderId): Promise<Target[]> => {
  const there = await readTargets(tx);
  if (there.length > 0) return there;
  await tx
    .insertInto('indexes')
    .values({ tenant, ...indexOf(encoder) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return readTargets(tx);
};

export const otherEncoder = (index: IndexSpec, encoder: EncoderId): CodedError =>
  new CodedError(
    'DIMENSION_MISMATCH',
    `The index holds vectors of "${index.encoder}" (${index.dimension} dimensions); the encoder is "${encoder.id}" (${encoder.dimension}).`,
    {
      next: `Run \`postmaster rebuild\`: it makes the vectors anew with "${encoder.id}", without a call of the language model; or restore the encoder "${index.encoder}".`,
    },
  );

/** Lets an index be filled from now on: every writer that reads its targets later writes to it as well. */
export const beginFilling = async (tx: Tx, tenant: TenantId, spec: IndexSpec, mark: string): Promise<void> => {
  const { slot } = await tx
    .selectFrom('indexes')
    .select('slot')
    .where('role', '=', 'serving')
    .executeTakeFirstOrThrow();
  const filling = { ...spec, role: 'filling' as const, slot: 1 - slot, mark };
  await tx
    .insertInto('indexes')
    .values({ tenant, ...filling })
    .onConflict((conflict) => conflict.columns(['tenant', 'name']).doUpdateSet(filling))
    .execute();
};

/** The filled index serves from now on, and the one that did is retired. */
export const switchOver = async (tx: Tx): Promise<void> => {
  await sql`update indexes set role = 'retired' where role = 'serving'`.execute(tx);
  await sql`update indexes set role = 'serving', reconciled_at = now() where role = 'filling'`.execute(tx);
};

export const stopFilling = (tx: Tx): Promise<unknown> =>
  sql`update indexes set role = 'retired' where role = 'filling'`.execute(tx);

export const retiredIndexes = (tx: Tx): Promise<IndexSpec[]> =>
  tx.selectFrom('indexes').select(['name', 'encoder', 'dimension']).where('role', '=', 'retired').execute();
