import { type EventData, type EventType, type IndexSpec, TenantId, newId } from '@postmaster/contracts';
import { openMemoryDatabase } from '@postmaster/database';
import { type Database, databaseOf, outsideTransactions } from '@postmaster/durable';
import type { CandidateStore } from '@postmaster/retrieval';
import {
  deliver,
  enriched,
  eventOf,
  FakeEncoder,
  FakeRequests,
  idOf,
  jobsOf,
  parsed,
  until,
} from '@postmaster/testing';
import {
  EMBEDDING_SCHEMA,
  embeddingMigrations,
  type EmbeddingPorts,
  type EmbeddingService,
  embeddingService,
  type EmbeddingTables,
  type IndexRun,
  type PointStore,
} from '../src/index.js';

export type BothHalves = PointStore & CandidateStore;

/** Files that run in one process share it; it ends with the process. */
const memory = await openMemoryDatabase([{ schema: EMBEDDING_SCHEMA, migrations: embeddingMigrations }]);
export const db = databaseOf<EmbeddingTables>(memory.kysely, EMBEDDING_SCHEMA);

/** An embedding service over a store, for one tenant of its own. */
export interface World {
  tenant: TenantId;
  encoder: FakeEncoder;
  service: EmbeddingService;
  requests: FakeRequests;
  errors: unknown[];
  /** Ids that were put or removed, by what was asked of the store. */
  written: { put: string[]; removed: string[] };
  /** Awaited before a change reaches the store. */
  before: (what: 'put' | 'remove', index: string, ids: readonly string[]) => Promise<void> | void;
  give<T extends EventType>(type: T, data: EventData<T>): Promise<void>;
  /** Takes documents of these texts in, with their facets, and waits until they are indexed. */
  fill(documents: Readonly<Record<string, readonly string[]>>): Promise<void>;
  ended(begun: Pick<IndexRun, 'id' | 'kind'>): Promise<IndexRun>;
  /** Ends the service and begins another over the same rows and store; jobs in hand are left as a killed process leaves them. */
  begin(given?: Partial<EmbeddingPorts>): void;
}

const opened: World[] = [];

/** Ends the services of all worlds that were opened, whatever became of their tests; gives the errors that they told. */
export const closeWorlds = async (): Promise<unknown[]> => {
  const worlds = opened.splice(0);
  await Promise.all(worlds.map(({ service }) => service.stop(0)));
  return worlds.flatMap(({ errors }) => errors);
};

export const openWorld = (store: BothHalves, given: Partial<EmbeddingPorts> = {}): World => {
  const requests = new FakeRequests();
  const world: Omit<World, 'service'> & { service?: EmbeddingService } = {
    tenant: TenantId.parse(`t-${newId().slice(-12)}`),
    encoder: new FakeEncoder(),
    requests,
    errors: [],
    written: { put: [], removed: [] },
    before: () => {},
    give: (type, data) => deliver(world.service?.consumers ?? [], eventOf(world.tenant, type, data)),
    fill: async (documents) => {
      for (const [document, texts] of Object.entries(documents)) {
        await world.give('paragraphs.parsed', parsed(document, 1, texts, { lane: 'bulk' }));
        await world.give('paragraphs.enriched', enriched(document, 1, texts));
      }
      await untilLater(world.tenant, async () => (await jobsOf(db as Database<unknown>, world.tenant)).length === 0);
    },
    ended: ({ id, kind }) =>
      untilLater(world.tenant, async () => {
        const run = await world.service?.useCases.upkeep.run(world.tenant, kind, id);
        return run?.finished_at ? run : undefined;
      }),
    begin: (more = {}) => {
      world.service = embeddingService({
        passageBytes: 0, // what is encoded is counted
        ...{
          db,
          requests,
          seal: { sign: async (identity) => identity.tenant },
          pauseMs: 50,
          graceMs: 20,
          reconcileEveryMs: 0,
          onError: (error) => world.errors.push(error),
        },
        ...given,
        ...more,
        encoder: outsideTransactions('encoder', more.encoder ?? world.encoder),
        store: outsideTransactions('store', watched(store, world)),
      });
      world.service.start();
    },
  };
  world.begin();
  opened.push(world as World); // begun just now
  return world as World;
};

/** As `until`, for what takes longer; what did not come to be says which jobs are left. */
const untilLater = <T>(tenant: TenantId, check: () => Promise<T>): Promise<Exclude<T, undefined | false>> =>
  until(check, 50).catch(async (error: unknown) => {
    const left = await jobsOf(db as Database<unknown>, tenant);
    throw new Error(`${String(error)} Jobs: ${JSON.stringify(left)}`, { cause: error });
  });

const watched = (store: BothHalves, world: Pick<World, 'written' | 'before'>): BothHalves =>
  new Proxy(store, {
    get: (target, key) => {
      const member: unknown = Reflect.get(target, key, target);
      if (typeof member !== 'function') return member;
      return async (tenant: TenantId, index: IndexSpec, given: readonly (string | { id: string })[]) => {
        if (key === 'put' || key === 'remove') {
          const ids = given.map((one) => (typeof one === 'string' ? one : one.id));
          await world.before(key, index.name, ids);
          world.written[key === 'put' ? 'put' : 'removed'].push(...ids);
        }
        return Reflect.apply(member, target, [tenant, index, given]) as unknown;
      };
    },
  });

/** Rows that are to have a point, with their revisions. */
export const wantedRevisions = (tenant: TenantId): Promise<Map<string, number>> =>
  db.asTenant(tenant, async (tx) => {
    const rows = await tx.selectFrom('paragraphs').select(['id', 'revision']).where('erased', '=', false).execute();
    return new Map(rows.map(({ id, revision }) => [id, Number(revision)]));
  });

export const servingIndex = async (tenant: TenantId): Promise<IndexSpec> =>
  db.asTenant(tenant, (tx) =>
    tx
      .selectFrom('indexes')
      .select(['name', 'encoder', 'dimension'])
      .where('role', '=', 'serving')
      .executeTakeFirstOrThrow(),
  );

/** Documents of `each` short texts, and the ids of all their paragraphs. */
export const documentsOf = (count: number, each: number): { texts: Record<string, string[]>; ids: string[] } => {
  const texts = Object.fromEntries(
    Array.from({ length: count }, (_, d) => [
      `d${d}`,
      Array.from({ length: each }, (_, p) => `Words w${d} and v${p} here.`),
    ]),
  );
  return { texts, ids: Object.entries(texts).flatMap(([document, of]) => of.map((text) => idOf(document, text))) };
};

export const sorted = (map: ReadonlyMap<string, number>): [string, number][] =>
  [...map].sort(([a], [b]) => (a < b ? -1 : 1));
