/**
 * How collections are made and searched. All but `ef` and `replicas`' effect on writes holds for collections made
 * afterwards: to change it, fill a new index and swap it in.
 */
export interface QdrantSettings {
  /** Shards of a collection; the server's choice (one a node) unless set. */
  shards?: number;
  /** Copies of each shard. */
  replicas: number;
  /** Copies that have to confirm a write. */
  writeConsistency: number;
  /** What the vectors are searched by; the best found are scored by the originals. */
  quantization: 'none' | 'scalar' | 'binary';
  /** Vectors, their graphs and the lexical index are read from disk; quantised vectors stay in memory. */
  onDisk: boolean;
  /** Texts are read from disk; what filters go by is indexed apart. */
  onDiskPayload: boolean;
  /** Links of a point in its tenant's graph. */
  m: number;
  /** Neighbours looked at while a graph is built. */
  efConstruct: number;
  /** Neighbours looked at by a search; more find more and take longer. */
  ef: number;
}

export const QDRANT_DEFAULTS: QdrantSettings = {
  replicas: 1,
  writeConsistency: 1,
  quantization: 'none',
  onDisk: false,
  onDiskPayload: true,
  m: 16,
  efConstruct: 100,
  ef: 128,
};
