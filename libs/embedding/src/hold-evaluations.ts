import { createHash } from 'node:crypto';
import {
  CodedError,
  dropEvaluation,
  EVALUATION_LIMITS,
  fillEvaluation,
  findEvaluation,
  hashOf,
  type NewId,
  newId as makeId,
  openEvaluation,
  requireScope,
  type Requests,
  type TenantId,
} from '@postmaster/contracts';
import type { Database } from '@postmaster/durable';
import { embedWhole } from './embed-whole.js';
import type { Encoder } from './encoder.js';
import { distinctTexts, type FacetedParagraph, pointOf } from './evaluation-points.js';
import type { PointStore } from './point-store.js';
import {
  abandonedEvaluations,
  type Evaluation,
  forgetEvaluation,
  indexesOf,
  noteEvaluation,
  storeTenantOf,
  useEvaluation,
} from './rows/evaluations.js';
import type { EmbeddingTables } from './rows/tables.js';

export interface HoldEvaluationsPorts {
  db: Database<EmbeddingTables>;
  encoder: Encoder;
  store: PointStore;
  newId?: NewId;
  now?: () => Date;
}

/** Keeps the points of evaluations: in indexes of their own, under a tenant of their own, that go with them. */
export const answerEvaluations = (requests: Requests, ports: HoldEvaluationsPorts): void => {
  const { db, encoder, newId = makeId } = ports;
  requests.answer(openEvaluation, async (identity, { collections }) => {
    requireScope(identity, 'admin');
    const { id: encoderId, dimension } = encoder;
    const id = hashOf(identity.tenant, newId()).slice(0, 24);
    const evaluation = { id, encoder: encoderId, dimension, collections };
    await db.asTenant(identity.tenant, (tx) => noteEvaluation(tx, identity.tenant, evaluation));
    return { id, encoder: encoderId, encoderHash: await hashOfEncoder(encoder), dimension };
  });
  requests.answer(fillEvaluation, async (identity, { id, paragraphs }) => {
    requireScope(identity, 'admin');
    return { paragraphs: await fill(ports, identity.tenant, id, paragraphs) };
  });
  requests.answer(findEvaluation, async (identity, { id }) => {
    requireScope(identity, 'admin');
    const found = await db.asTenant(identity.tenant, (tx) => useEvaluation(tx, id));
    const indexes = indexesOf(found).map(({ collection, index }) => [collection, index.name]);
    return { tenant: storeTenantOf(id), indexes: Object.fromEntries(indexes), paragraphs: found.paragraphs };
  });
  requests.answer(dropEvaluation, async (identity, { id }) => {
    requireScope(identity, 'admin');
    await drop(ports, identity.tenant, id);
    return { dropped: true as const };
  });
};

const FIXED_TEXT = 'Does the same text still have the same vector?';

const hashOfEncoder = async (encoder: Encoder): Promise<string> => {
  const [vector] = await encoder.embed([FIXED_TEXT], 'passage');
  if (!vector) throw new Error('The encoder gave no vector for the text that it is known by.');
  return createHash('sha256')
    .update(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength))
    .digest('hex');
};

/** Drops the evaluations that nobody used for so long; all of them with 0. */
export const sweepEvaluations = async (
  ports: Pick<HoldEvaluationsPorts, 'db' | 'store'>,
  idleMs: number = EVALUATION_LIMITS.lifetimeMs,
): Promise<void> => {
  for (const { tenant, id } of await abandonedEvaluations(ports.db, idleMs))
    await drop(ports, tenant, id).catch((error: unknown) => {
      if (!(error instanceof CodedError && error.code === 'NOT_FOUND')) throw error; // another replica was quicker
    });
};

/** Encodes each text once, however many collections hold it; searches go before it, as before all bulk work. */
const fill = async (
  { db, encoder, store, now = () => new Date() }: HoldEvaluationsPorts,
  tenant: TenantId,
  id: string,
  paragraphs: readonly FacetedParagraph[],
): Promise<number> => {
  const evaluation = await db.asTenant(tenant, (tx) => useEvaluation(tx, id, paragraphs.length));
  if (evaluation.encoder !== encoder.id)
    throw new CodedError(
      'CONFLICT',
      `The evaluation was begun with "${evaluation.encoder}"; now "${encoder.id}" runs.`,
      {
        next: 'Begin a new one.',
      },
    );
  const texts = distinctTexts(evaluation.collections, paragraphs);
  const embedded = await embedWhole(encoder, texts, 'passage');
  const vectors = new Map(texts.map((text, at) => [text, embedded[at]?.vector]));
  const vectorOf = (text: string): Float32Array => {
    const vector = vectors.get(text);
    if (!vector) throw new Error('The encoder gave no vector for a text of an evaluation.');
    return vector;
  };
  const at = now().toISOString();
  for (const { collection, index } of indexesOf(evaluation))
    await store.put(
      storeTenantOf(id),
      index,
      paragraphs.map((paragraph) => pointOf(collection, paragraph, vectorOf, at)),
    );
  const still = await db
    .asTenant(tenant, (tx) => useEvaluation(tx, id))
    .catch(async (error: unknown) => {
      await dropPoints(store, evaluation); // it was dropped meanwhile
      throw error;
    });
  return still.paragraphs;
};

/** The points go first: what is left of an interrupted drop is dropped again by a later sweep. Throws NOT_FOUND. */
const drop = async (
  { db, store }: Pick<HoldEvaluationsPorts, 'db' | 'store'>,
  tenant: TenantId,
  id: string,
): Promise<void> => {
  await dropPoints(store, await db.asTenant(tenant, (tx) => useEvaluation(tx, id)));
  await db.asTenant(tenant, (tx) => forgetEvaluation(tx, id));
};

const dropPoints = async (store: PointStore, evaluation: Evaluation): Promise<void> => {
  for (const { index } of indexesOf(evaluation)) await store.dropIndex(index.name);
};
