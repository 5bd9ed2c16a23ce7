import {
  CodedError,
  FACET_VECTORS,
  type IndexSpec,
  NAMED_VECTORS,
  type PointPayload,
  type TenantId,
} from '@postmaster/contracts';
import type { PointPage, PointPatch, PointStore, PointVectors } from '@postmaster/embedding';
import type { CandidateStore, Probe } from '@postmaster/retrieval';
import { FakeCandidateStore, type FakePoint, pointPayload } from './fake-candidate-store.js';

export interface KeptPoint {
  id: string;
  revision: number;
  payload: Partial<PointPayload>;
  vectors: PointVectors;
  /** Of the facets, by their texts, where both came in one patch last. */
  facets: ReadonlyMap<string, Float32Array>;
}

interface Kept {
  dimension: number;
  points: Map<string, KeptPoint>;
}

const POINTS_A_PAGE = 100;

/** Both halves of a vector store, in memory. */
export class FakePointStore implements PointStore, CandidateStore {
  private readonly indexes = new Map<string, Kept>();
  /** Every change that was asked for, in order: "put a b", "remove c". */
  readonly changes: string[] = [];
  /** Awaited before a change takes place, so that a test can have something happen meanwhile. */
  before: (change: string) => Promise<void> | void = () => {};

  /** What is kept of one point; undefined where there is none. */
  point(tenant: TenantId, index: string, id: string): KeptPoint | undefined {
    return this.indexes.get(`${tenant}/${index}`)?.points.get(id);
  }

  async put(tenant: TenantId, index: IndexSpec, patches: readonly PointPatch[]): Promise<void> {
    if (patches.length === 0) return;
    await this.note(
      'put',
      patches.map(({ id }) => id),
    );
    const key = `${tenant}/${index.name}`;
    const kept = this.indexes.get(key) ?? { dimension: index.dimension, points: new Map<string, KeptPoint>() };
    for (const { vectors = {} } of patches)
      for (const name of NAMED_VECTORS)
        for (const vector of [vectors[name] ?? []].flat()) requireDimension(index.name, kept.dimension, vector.length);
    this.indexes.set(key, kept);
    for (const { id, revision, payload, vectors } of patches) {
      const before = kept.points.get(id);
      kept.points.set(id, {
        id,
        revision,
        payload: { ...before?.payload, ...payload },
        vectors: { ...before?.vectors, ...vectors },
        facets: facetsBy({ ...before?.payload, ...payload }, before, vectors),
      });
    }
  }

  async remove(tenant: TenantId, index: IndexSpec, ids: readonly string[]): Promise<void> {
    await this.note('remove', ids);
    for (const id of ids) this.indexes.get(`${tenant}/${index.name}`)?.points.delete(id);
  }

  async revisions(tenant: TenantId, index: IndexSpec, ids?: readonly string[]): Promise<Map<string, number>> {
    const points = [...(this.indexes.get(`${tenant}/${index.name}`)?.points.values() ?? [])];
    return new Map(points.filter(({ id }) => ids?.includes(id) ?? true).map(({ id, revision }) => [id, revision]));
  }

  async facetVectors(tenant: TenantId, index: IndexSpec, ids: readonly string[]) {
    const points = ids.flatMap((id) => this.point(tenant, index.name, id) ?? []);
    return new Map(points.map(({ id, facets }) => [id, facets]));
  }

  async page(tenant: TenantId, index: IndexSpec, after = ''): Promise<PointPage> {
    const all = [...(await this.revisions(tenant, index))]
      .filter(([id]) => id > after)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    const revisions = new Map(all.slice(0, POINTS_A_PAGE));
    return { revisions, ...(all.length > POINTS_A_PAGE && { next: [...revisions.keys()].at(-1) }) };
  }

  async count(tenant: TenantId, index: IndexSpec, documents?: readonly string[]): Promise<number> {
    const points = [...(this.indexes.get(`${tenant}/${index.name}`)?.points.values() ?? [])];
    return points.filter(({ payload }) => documents?.includes(payload.document ?? '') ?? true).length;
  }

  async drop(tenant: TenantId, index: IndexSpec): Promise<void> {
    this.indexes.delete(`${tenant}/${index.name}`);
  }

  async dropIndex(index: string): Promise<void> {
    for (const key of this.indexes.keys()) if (key.endsWith(`/${index}`)) this.indexes.delete(key);
  }

  candidates: CandidateStore['candidates'] = async (tenant, index, probe, perLeg) =>
    this.reader(tenant, index, probe).candidates(tenant, index, probe, perLeg);

  complete: CandidateStore['complete'] = async (tenant, index, probe, ids) =>
    this.reader(tenant, index, probe).complete(tenant, index, probe, ids);

  read: CandidateStore['read'] = async (tenant, index, choice, most) =>
    this.reader(tenant, index).read(tenant, index, choice, most);

  async optimize(): Promise<void> {}

  async close(): Promise<void> {}

  private async note(what: string, ids: readonly string[]): Promise<void> {
    const change = `${what} ${[...ids].sort().join(' ')}`;
    this.changes.push(change);
    await this.before(change);
  }

  /** A point answers once its text is there. */
  private reader(tenant: TenantId, index: string, probe?: Probe): FakeCandidateStore {
    const store = new FakeCandidateStore();
    const kept = this.indexes.get(`${tenant}/${index}`);
    if (kept && probe) requireDimension(index, kept.dimension, probe.vector.length);
    for (const { id, payload, vectors } of kept?.points.values() ?? []) {
      const { text } = payload;
      if (text === undefined) continue;
      const present = Object.entries(vectors).filter(([, vector]) => vector !== null);
      store.put(tenant, {
        id,
        payload: pointPayload({ ...payload, text }),
        vectors: Object.fromEntries(present) as FakePoint['vectors'],
      }); // the nulls are filtered out
    }
    return store;
  }
}

/** What is certain of texts and their vectors after a patch, as PointStore has it. */
const facetsBy = (
  { simpleQuestions = [], complexQuestions = [], context = '', scope = '' }: Partial<PointPayload>,
  before: KeptPoint | undefined,
  vectors: PointVectors = {},
): ReadonlyMap<string, Float32Array> => {
  const texts = [...simpleQuestions, ...complexQuestions, ...[context, scope].filter((text) => text !== '')];
  const given = FACET_VECTORS.filter((name) => vectors[name] !== undefined);
  if (given.length === 0) return before && texts.every((text) => before.facets.has(text)) ? before.facets : new Map();
  const all = FACET_VECTORS.flatMap((name) => vectors[name] ?? []);
  return given.length === FACET_VECTORS.length && all.length === texts.length
    ? new Map(texts.map((text, at) => [text, all[at]!])) // as many
    : new Map();
};

const requireDimension = (index: string, expected: number, actual: number): void => {
  if (expected !== actual)
    throw new CodedError(
      'DIMENSION_MISMATCH',
      `The index "${index}" holds vectors of ${expected} dimensions but was given ${actual}.`,
    );
};
