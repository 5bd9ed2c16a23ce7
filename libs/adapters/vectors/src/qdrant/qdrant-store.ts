import type { TenantId } from '@postmaster/contracts';
import type { PointPage, PointStore } from '@postmaster/embedding';
import type { CandidateStore, Probe } from '@postmaster/retrieval';
import { randomUUID } from 'node:crypto';
import { type QuestionTerm, questionTerms } from '../lexical-terms.js';
import { requireDimension, requireVectors } from '../require-dimension.js';
import { requireIndexName, requireNames } from '../require-names.js';
import { Collections } from './collections.js';
import { completePoints } from './complete-points.js';
import { findCandidates } from './find-candidates.js';
import { InTurn } from './in-turn.js';
import { ofTenant } from './point-filter.js';
import { pointId } from './point-id.js';
import { qdrantCalls } from './qdrant-calls.js';
import { QDRANT_DEFAULTS, type QdrantSettings } from './qdrant-settings.js';
import { readParagraphs } from './read-paragraphs.js';
import { countPoints, readPage, readRevisions } from './read-revisions.js';
import { type PointWriter, readFacetVectors, writePoints } from './write-points.js';

export interface QdrantOptions {
  /** http(s) address. */
  url: string;
  apiKey?: string;
  /** Milliseconds that one call may take. */
  timeoutMs?: number;
  /** Further tries of a call that failed for what may pass. */
  retries?: number;
  settings?: Partial<QdrantSettings>;
  /** What the names of our collections begin with. */
  prefix?: string;
  newWrite?: () => string;
}

export interface QdrantStore extends PointStore, CandidateStore {
  /**
   * Lets what was filled as the index `by` answer for `index` from one moment to the next, for every process, and drops
   * what did; `by` is no index any more. Throws NOT_FOUND where there is no `by`.
   */
  swap(index: string, by: string): Promise<void>;
  /** Whether the server can be used as it is configured, for the start. Throws STORE_REFUSED, STORE_UNREACHABLE. */
  check(): Promise<void>;
}

type Lists = Awaited<ReturnType<CandidateStore['candidates']>>;

/** Points that are read, patched and written together. */
const POINTS_A_ROUND = 128;
const IDS_A_CALL = 1000;

/**
 * Vectors and words of all tenants in Qdrant: a collection for each index, which tenants share. Nothing is connected
 * until it is used. Failures: STORE_UNREACHABLE (try again), STORE_REFUSED (don't), DIMENSION_MISMATCH.
 */
export const qdrantStore = (options: QdrantOptions): QdrantStore => {
  const { url, apiKey, timeoutMs = 10_000, retries = 3, prefix = 'postmaster', newWrite = randomUUID } = options;
  const settings = { ...QDRANT_DEFAULTS, ...options.settings };
  const call = qdrantCalls({ url, apiKey, timeoutMs, retries });
  const collections = new Collections(call, settings, prefix);
  const ordering = settings.replicas > 1 ? 'strong' : 'weak';
  const writer: PointWriter = { call, newWrite, ordering };
  const turns = new InTurn();
  let closed = false;

  const open = (tenant: TenantId, index: string): void => {
    if (closed) throw new Error('The vector store is closed.');
    requireNames(tenant, index);
  };
  /** Changes of one tenant in one index are made in the order in which they were asked for. */
  const change = (tenant: TenantId, index: string, act: () => Promise<void>): Promise<void> => {
    open(tenant, index);
    return turns.run(`${index}/${tenant}`, act);
  };
  /** `missing` where the index is not there. */
  const reading = async <T>(
    tenant: TenantId,
    index: string,
    probe: Probe,
    read: (collection: string, words: QuestionTerm[]) => Promise<T>,
    missing: T,
  ): Promise<T> => {
    open(tenant, index);
    const shape = await collections.shape(index);
    if (!shape) return missing;
    requireDimension(index, shape.dimension, probe.vector.length);
    const words = questionTerms(probe.text, shape.terms);
    return collections.where(
      index,
      (collection) => read(collection, words),
      () => missing,
    );
  };
  const removing = (tenant: TenantId, index: string, points?: readonly string[]): Promise<unknown> =>
    collections.where<unknown>(
      index,
      (collection) =>
        call((client) => client.delete(collection, { filter: ofTenant(tenant, points), ordering, wait: true })),
      () => undefined,
    );

  return {
    async put(tenant, index, patches) {
      for (const patch of patches) requireVectors(index, patch);
      if (patches.length === 0) return;
      await change(tenant, index.name, async () => {
        for (const some of portions(patches, POINTS_A_ROUND))
          await collections.within(index, (collection) => writePoints(writer, collection, tenant, some));
      });
    },
    async remove(tenant, index, ids) {
      if (ids.length === 0) return;
      await change(tenant, index.name, async () => {
        const points = ids.map((id) => pointId(tenant, id));
        for (const some of portions(points, IDS_A_CALL)) await removing(tenant, index.name, some);
      });
    },
    async revisions(tenant, index, ids) {
      open(tenant, index.name);
      const missing = (): Map<string, number> => new Map();
      return collections.where(index.name, (collection) => readRevisions(call, collection, tenant, ids), missing);
    },
    async facetVectors(tenant, index, ids) {
      open(tenant, index.name);
      const found = new Map<string, ReadonlyMap<string, Float32Array>>();
      for (const some of portions(ids, POINTS_A_ROUND)) {
        const read = (collection: string) => readFacetVectors(call, collection, tenant, some);
        for (const [id, vectors] of await collections.where(index.name, read, () => new Map())) found.set(id, vectors);
      }
      return found;
    },
    async page(tenant, index, after) {
      open(tenant, index.name);
      const missing = (): PointPage => ({ revisions: new Map() });
      return collections.where(index.name, (collection) => readPage(call, collection, tenant, after), missing);
    },
    async count(tenant, index, documents) {
      open(tenant, index.name);
      const count = (collection: string) => countPoints(call, collection, tenant, documents);
      return collections.where(index.name, count, () => 0);
    },
    drop: async (tenant, index) => change(tenant, index.name, async () => void (await removing(tenant, index.name))),
    async dropIndex(index) {
      requireIndexName(index);
      await collections.drop(index);
    },
    async optimize(tenant, index) {
      open(tenant, index.name);
      await collections.where(
        index.name,
        (collection) => collections.indexPayload(collection),
        () => undefined,
      );
    },
    candidates: async (tenant, index, probe, perLeg) =>
      reading<Lists>(
        tenant,
        index,
        probe,
        (collection, words) => findCandidates(call, settings, collection, tenant, probe, words, perLeg),
        Object.fromEntries(probe.legs.map((leg) => [leg, []])),
      ),
    complete: async (tenant, index, probe, ids) =>
      reading(
        tenant,
        index,
        probe,
        (collection, words) => completePoints(call, collection, tenant, probe, words, ids),
        [],
      ),
    read: async (tenant, index, choice, most) => {
      open(tenant, index);
      const read = (collection: string) => readParagraphs(call, collection, tenant, choice, most);
      return collections.where(index, read, () => []);
    },
    async swap(index, by) {
      requireIndexName(index);
      requireIndexName(by);
      await collections.swap(index, by);
    },
    check: async () => {
      await collections.requireServer();
      await call((client) => client.getCollections()); // the version is told to whom has no key, too
    },
    async close() {
      closed = true;
      await turns.ended();
    },
  };
};

const portions = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));
