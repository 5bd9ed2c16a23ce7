import type { IndexSpec, TenantId } from '@postmaster/contracts';
import type { Database } from '@postmaster/durable';
import { embedWhole } from './embed-whole.js';
import type { Encoder } from './encoder.js';
import type { PointPatch, PointStore, PointVectors } from './point-store.js';
import { bringBack } from './rows/keep-newer.js';
import { dropErased, noteWritten, type Projection, readProjections, type Written } from './rows/projection.js';
import type { EmbeddingTables } from './rows/tables.js';

export interface ProjectPorts {
  db: Database<EmbeddingTables>;
  encoder: Encoder;
  store: PointStore;
}

export type Part = 'text' | 'facets';

/**
 * Makes points equal to their rows: reads the rows, writes the points, reads the rows' revisions again, and repeats
 * for those that moved. So facets before text, late text, and deletes all end right, whoever else projects meanwhile.
 * `parts` says which vectors are made where they are missing; payload always follows.
 */
export type Project = (tenant: TenantId, ids: readonly string[], parts: readonly Part[]) => Promise<void>;

/** Rows that keep moving are left to the job that their last mover asked for. */
const MOST_ROUNDS = 5;

export const projector =
  ({ db, encoder, store }: ProjectPorts, index: (tenant: TenantId) => Promise<IndexSpec>): Project =>
  async (tenant, ids, parts) => {
    const spec = await index(tenant);
    let moving = [...new Set(ids)];
    for (let round = 0; round < MOST_ROUNDS && moving.length > 0; round++) {
      const projections = await db.asTenant(tenant, (tx) => readProjections(tx, spec, moving));
      const known = new Set(projections.map(({ id }) => id));
      const erased = projections.filter((projection) => projection.erased);
      const gone = [...moving.filter((id) => !known.has(id)), ...erased.map(({ id }) => id)];
      const present = projections.filter((projection) => !projection.erased);
      const made = await patchesOf(encoder, present, parts);
      await store.put(
        tenant,
        spec,
        made.map(({ patch }) => patch),
      );
      if (gone.length > 0) await store.remove(tenant, spec, gone);
      moving = await db.asTenant(tenant, async (tx) => {
        const unmoved = await noteWritten(
          tx,
          spec,
          made.map(({ written }) => written),
        );
        await dropErased(tx, erased);
        await bringBack(tx, tenant, gone);
        return present.map(({ id }) => id).filter((id) => !unmoved.has(id));
      });
    }
  };

interface Made {
  patch: PointPatch;
  written: Written;
}

/** One call of the encoder for all the texts that are not in the index yet. */
const patchesOf = async (
  encoder: Encoder,
  projections: readonly Projection[],
  parts: readonly Part[],
): Promise<Made[]> => {
  const texts: string[] = [];
  const take = (text: string): number => texts.push(text) - 1;
  const plans = projections.map((projection) => {
    const { payload, facets, written, textHash, facetsRevision } = projection;
    const needsText = parts.includes('text') && written.text !== textHash;
    const needsFacets = parts.includes('facets') && facets !== null && written.facets !== facetsRevision;
    return {
      projection,
      paragraph: needsText ? take(payload.text) : undefined,
      facets: needsFacets
        ? {
            simple_questions: payload.simpleQuestions.map(take),
            complex_questions: payload.complexQuestions.map(take),
            context: payload.context ? take(payload.context) : null,
            scope: payload.scope ? take(payload.scope) : null,
          }
        : undefined,
    };
  });
  const embedded = await embedWhole(encoder, texts, 'passage');
  const vector = (i: number): Float32Array => {
    const one = embedded[i];
    if (!one) throw new Error(`The encoder gave ${embedded.length} vectors for ${texts.length} texts.`);
    return one.vector;
  };
  return plans.map(({ projection, paragraph, facets }) => {
    const vectors: PointVectors = {};
    if (paragraph !== undefined) vectors.paragraph = vector(paragraph);
    if (facets) {
      vectors.simple_questions = facets.simple_questions.map(vector);
      vectors.complex_questions = facets.complex_questions.map(vector);
      vectors.context = facets.context === null ? null : vector(facets.context);
      vectors.scope = facets.scope === null ? null : vector(facets.scope);
    }
    const { id, revision, payload, textHash, facetsRevision } = projection;
    return {
      patch: { id, revision: Number(revision), payload, vectors },
      written: {
        id,
        revision,
        ...(paragraph !== undefined && { text: textHash, windows: embedded[paragraph]?.windows ?? 1 }),
        ...(facets && { facets: facetsRevision }),
      },
    };
  });
};
