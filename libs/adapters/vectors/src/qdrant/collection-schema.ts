import { type IndexSpec, MULTI_VECTORS, NAMED_VECTORS } from '@postmaster/contracts';
import type { Schemas } from '@qdrant/js-client-rest';
import { TERMS_VERSION } from '../lexical-terms.js';
import type { QdrantSettings } from './qdrant-settings.js';

/**
 * A collection of one encoder's vectors that tenants share. There is no graph over all tenants (m 0): every search is
 * one tenant's, and has a graph of its own (payload_m) once the tenant is large enough to need one.
 */
export const collectionSchema = ({ dimension }: IndexSpec, settings: QdrantSettings): Schemas['CreateCollection'] => {
  const { onDisk } = settings;
  const vector = { size: dimension, distance: 'Cosine' as const, on_disk: onDisk };
  return {
    vectors: Object.fromEntries(
      NAMED_VECTORS.map((name) => [
        name,
        MULTI_VECTORS.some((multi) => multi === name)
          ? { ...vector, multivector_config: { comparator: 'max_sim' as const } }
          : vector,
      ]),
    ),
    sparse_vectors: { lexical: { modifier: 'idf', index: { on_disk: onDisk } } },
    metadata: { lexical_terms: TERMS_VERSION },
    hnsw_config: { m: 0, payload_m: settings.m, ef_construct: settings.efConstruct, on_disk: onDisk },
    on_disk_payload: settings.onDiskPayload,
    replication_factor: settings.replicas,
    write_consistency_factor: settings.writeConsistency,
    ...(settings.shards !== undefined && { shard_number: settings.shards }),
    ...(settings.quantization !== 'none' && { quantization_config: QUANTIZATION[settings.quantization] }),
  };
};

const QUANTIZATION = {
  scalar: { scalar: { type: 'int8', quantile: 0.99, always_ram: true } },
  binary: { binary: { always_ram: true } },
} as const satisfies Record<string, Schemas['QuantizationConfig']>;

/** How much more the quantised vectors are asked for, before the originals choose. */
export const OVERSAMPLING = { scalar: 1.5, binary: 4 } as const;

const keyword = { type: 'keyword', enable_hnsw: false } as const; // graphs are by tenant alone
const range = { type: 'integer', lookup: false, range: true, enable_hnsw: false } as const;

/** Every field that a filter of ours names. */
export const PAYLOAD_INDEXES = {
  tenant: { type: 'keyword', is_tenant: true },
  active: { type: 'bool', enable_hnsw: false },
  write: { type: 'uuid', enable_hnsw: false },
  document: keyword,
  position: range,
  collection: keyword,
  source_type: keyword,
  content_type: keyword,
  language: keyword,
  created_at: range,
  added_at: range,
  title_words: keyword,
  metadata_pairs: keyword,
} as const satisfies Record<string, Schemas['PayloadSchemaParams']>;

export type IndexedField = keyof typeof PAYLOAD_INDEXES;
