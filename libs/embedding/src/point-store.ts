import type { IndexSpec, MultiVector, PointPayload, SingleVector, TenantId } from '@postmaster/contracts';

/** Null takes the vector away; absent leaves it as it is. An empty list of questions counts as none. */
export type PointVectors = { [V in SingleVector]?: Float32Array | null } & {
  [V in MultiVector]?: Float32Array[] | null;
};

/** What is to be so of one point. Payload fields and vectors that are absent stay as they are in the store. */
export interface PointPatch {
  id: string;
  /** The row's version that this was made from, kept with the point for the reconciler. */
  revision: number;
  payload?: Partial<PointPayload>;
  vectors?: PointVectors;
  /** A text that counts for the words of the point and is not kept: of a paragraph whose payload has none. Absent: as before. */
  words?: string;
}

/**
 * The writing half of a vector store. One class talks to the store, takes the tenant first and adds it itself.
 * Idempotent: the same call twice leaves what one leaves. Any number of writers may call at once with the same ids.
 * Throws DIMENSION_MISMATCH for a vector of another dimension than the index holds.
 */
export interface PointStore {
  /** Makes a point where there is none: facets may come before text. */
  put(tenant: TenantId, index: IndexSpec, patches: readonly PointPatch[]): Promise<void>;
  remove(tenant: TenantId, index: IndexSpec, ids: readonly string[]): Promise<void>;
  /** Of these ids (all of the tenant's when absent), those present, with the revision each was written from. */
  revisions(tenant: TenantId, index: IndexSpec, ids?: readonly string[]): Promise<Map<string, number>>;
  /**
   * Of these points, the vectors of their facets by the text that each was made of. Only what is certain: a point whose
   * texts and vectors were put apart, or by who did not note it, has none.
   */
  facetVectors(
    tenant: TenantId,
    index: IndexSpec,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, ReadonlyMap<string, Float32Array>>>;
  /**
   * Some of the tenant's points, after those of the pages before; `after` is the `next` of the page before. All pages
   * together have each point that is there from the first page to the last at least once.
   */
  page(tenant: TenantId, index: IndexSpec, after?: string): Promise<PointPage>;
  /** How many points the tenant has, of these documents where they are given. */
  count(tenant: TenantId, index: IndexSpec, documents?: readonly string[]): Promise<number>;
  /** Drops the tenant's points of an index. */
  drop(tenant: TenantId, index: IndexSpec): Promise<void>;
  /** Drops an index whole, with the points of every tenant; nothing where there is none. */
  dropIndex(index: string): Promise<void>;
  /** Compaction, index building and pruning where they pay; the store also does so on its own schedule. */
  optimize(tenant: TenantId, index: IndexSpec): Promise<void>;
  close(): Promise<void>;
}

/** Points with the revision that each was written from. */
export interface PointPage {
  revisions: Map<string, number>;
  /** Where the next page begins; absent on the last one. */
  next?: string;
}
