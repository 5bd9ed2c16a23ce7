import { CodedError, type Failure, type ReadTexts, type TenantId } from '@postmaster/contracts';
import type { Database } from '@postmaster/durable';
import { encodeParts, type KnownVectors, lacks, type Part, patchFor } from './encode-parts.js';
import type { Encoder } from './encoder.js';
import type { PointStore } from './point-store.js';
import { isOf, otherEncoder, type Target, targetsOf } from './rows/indexes.js';
import { bringBack } from './rows/keep-newer.js';
import { dropErased, noteWritten, type Projection, readProjections } from './rows/projection.js';
import type { EmbeddingTables } from './rows/tables.js';

export interface ProjectPorts {
  db: Database<EmbeddingTables>;
  encoder: Encoder;
  store: PointStore;
  readTexts: ReadTexts;
}

/**
 * Makes points equal to their rows: reads the rows, writes the points, reads the rows' revisions again, and repeats
 * for those that moved. So facets before text, late text, and deletes all end right, whoever else projects meanwhile.
 * `parts` says which vectors are made where they are missing; payload always follows. Points are put into every index of
 * this encoder that is written to now, or into `only` this one (its mark); they are removed from all. Left as they are,
 * and given with the reason, are those whose text would have to be read from a file that is gone or has changed.
 */
export type Project = (
  tenant: TenantId,
  ids: readonly string[],
  parts: readonly Part[],
  only?: string,
) => Promise<ReadonlyMap<string, Failure>>;

/** Rows that keep moving are left to the job that their last mover asked for. */
const MOST_ROUNDS = 5;

export const projector =
  ({ db, encoder, store, readTexts }: ProjectPorts): Project =>
  async (tenant, ids, parts, only) => {
    let moving = [...new Set(ids)];
    const unread = new Map<string, Failure>();
    for (let round = 0; round < MOST_ROUNDS && moving.length > 0; round++) {
      const { projections, targets } = await db.asTenant(tenant, async (tx) => {
        const projections = await readProjections(tx, moving);
        // Read after the rows: an index that begins to be filled later is filled from rows that are no older.
        return { projections, targets: await targetsOf(tx, tenant, encoder) };
      });
      const into = intoOf(targets, encoder).filter(({ mark }) => only === undefined || mark === only);
      const known = new Set(projections.map(({ id }) => id));
      const erased = projections.filter((projection) => projection.erased);
      const gone = [...moving.filter((id) => !known.has(id)), ...erased.map(({ id }) => id)];
      const wanted = projections.filter((projection) => !projection.erased);
      const textless = parts.includes('text') ? wanted.filter((one) => lacksText(one, into)) : [];
      const read = await readTexts(
        tenant,
        textless.map(({ id }) => id),
      );
      for (const [id, failure] of read.failures) unread.set(id, failure);
      for (const one of textless) one.words = read.texts.get(one.id)?.text;
      const left = new Set(textless.filter(({ words }) => words === undefined));
      const present = wanted.filter((one) => !left.has(one));
      const kept = parts.includes('facets') ? await knownVectors(store, tenant, present, into) : undefined;
      const encoded = await encodeParts(encoder, present, parts, into, kept);
      const made = into.map((target) => ({ target, patches: encoded.map((one) => patchFor(one, target)) }));
      for (const { target, patches } of made)
        await store.put(
          tenant,
          target,
          patches.map(({ patch }) => patch),
        );
      if (gone.length > 0) for (const target of targets) await store.remove(tenant, target, gone);
      const noted = db.asTenant(tenant, async (tx) => {
        let moved: string[] = [];
        for (const { target, patches } of made) {
          const written = patches.map(({ written }) => written);
          const unmoved = await noteWritten(tx, target, written);
          moved = present.map(({ id }) => id).filter((id) => !unmoved.has(id));
        }
        await dropErased(tx, erased);
        await bringBack(tx, tenant, gone);
        return moved;
      });
      moving = await noted.catch(async (error: unknown) => {
        // Its points may have been dropped before these were put.
        if (error instanceof CodedError && error.code === 'TENANT_DELETED')
          for (const target of into) await store.drop(tenant, target);
        throw error;
      });
    }
    return unread;
  };

/**
 * The vectors of the facets that points had before, of those that get others now: what of them stayed the same is not
 * encoded again. All indexes here are of one encoder, so that any of them will do.
 */
const knownVectors = async (
  store: PointStore,
  tenant: TenantId,
  projections: readonly Projection[],
  into: readonly Target[],
): Promise<KnownVectors> => {
  const known = new Map<string, ReadonlyMap<string, Float32Array>>();
  for (const target of into) {
    const renewed = projections.filter(
      (one) => !known.has(one.id) && one.written(target).facets !== null && lacks(one, target).facets,
    );
    if (renewed.length === 0) continue;
    const ids = renewed.map(({ id }) => id);
    for (const [id, vectors] of await store.facetVectors(tenant, target, ids)) known.set(id, vectors);
  }
  return known;
};

/** Whether its text is to be encoded and is not in its row. */
const lacksText = (projection: Projection, into: readonly Target[]): boolean =>
  projection.payload.reference === true && into.some((target) => lacks(projection, target).text);

/** Throws DIMENSION_MISMATCH where no index of the tenant is of this encoder. */
const intoOf = (targets: readonly Target[], encoder: Encoder): Target[] => {
  const own = targets.filter((target) => isOf(encoder, target));
  const [other] = targets;
  if (own.length === 0 && other) throw otherEncoder(other, encoder);
  return own;
};
