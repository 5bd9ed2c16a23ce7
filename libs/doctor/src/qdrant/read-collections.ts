import { z } from 'zod';
import { askQdrant, type QdrantAddress } from './ask-qdrant.js';

/** What the names of our indexes begin with (libs/adapters/vectors). */
const PREFIX = 'postmaster-';

const Aliases = z.object({
  result: z.object({ aliases: z.array(z.object({ alias_name: z.string(), collection_name: z.string() })) }),
});
const Collection = z.object({
  result: z.object({
    status: z.string(),
    optimizer_status: z.union([z.string(), z.object({ error: z.string() })]).optional(),
    points_count: z.number().nullish(),
    config: z.object({
      metadata: z.looseObject({ lexical_terms: z.number().optional() }).nullish(),
      params: z.looseObject({
        vectors: z.looseObject({ paragraph: z.object({ size: z.number() }).optional() }).nullish(),
        shard_number: z.number().nullish(),
        replication_factor: z.number().nullish(),
      }),
    }),
  }),
});
const Shard = z.object({ state: z.string() });
const Shards = z.object({ result: z.object({ local_shards: z.array(Shard), remote_shards: z.array(Shard) }) });

/** One index, as Qdrant has it. */
export interface IndexState {
  /** Without the prefix: what embedding calls it. */
  index: string;
  collection: string;
  /** green, yellow (being optimised), grey (to be optimised after a restart), red. */
  status: string;
  optimizerError: string | undefined;
  points: number;
  /** The version of its lexical terms (libs/adapters/vectors); undefined for one of before it was noted. */
  terms: number | undefined;
  /** Undefined for a collection that is not ours. */
  dimension: number | undefined;
  shards: number | undefined;
  copies: number | undefined;
  /** Copies of shards that do not answer or are behind; undefined where the server does not tell. */
  shardsOut: number | undefined;
}

/** All our indexes. Throws STORE_UNREACHABLE, STORE_REFUSED. */
export const readCollections = async (address: QdrantAddress, signal: AbortSignal): Promise<IndexState[]> => {
  const aliases = await askQdrant(address, '/aliases', Aliases, signal);
  const ours = (aliases?.result.aliases ?? []).filter(({ alias_name }) => alias_name.startsWith(PREFIX));
  const states = await Promise.all(
    ours.map(({ alias_name, collection_name }) =>
      readIndex(address, alias_name.slice(PREFIX.length), collection_name, signal),
    ),
  );
  return states.flat();
};

const readIndex = async (
  address: QdrantAddress,
  index: string,
  collection: string,
  signal: AbortSignal,
): Promise<IndexState[]> => {
  const path = `/collections/${encodeURIComponent(collection)}`;
  const [info, shards] = await Promise.all([
    askQdrant(address, path, Collection, signal),
    askQdrant(address, `${path}/cluster`, Shards, signal).catch(() => undefined), // a managed Qdrant may forbid it
  ]);
  if (!info) return []; // dropped meanwhile
  const { status, optimizer_status: optimizer, points_count: points, config } = info.result;
  const copies = shards && [...shards.result.local_shards, ...shards.result.remote_shards];
  return [
    {
      ...{ index, collection, status, points: points ?? 0 },
      optimizerError: typeof optimizer === 'object' ? optimizer.error : undefined,
      terms: config.metadata?.lexical_terms,
      dimension: config.params.vectors?.paragraph?.size,
      shards: config.params.shard_number ?? undefined,
      copies: config.params.replication_factor ?? undefined,
      shardsOut: copies?.filter(({ state }) => state !== 'Active').length,
    },
  ];
};
