import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CodedError, documentTexts, newId, TenantId } from '@postmaster/contracts';
import { openMemoryDatabase } from '@postmaster/database';
import {
  claim,
  type Database,
  databaseOf,
  type Job,
  outsideTransactions,
  releaseLapsed,
  revive,
} from '@postmaster/durable';
import {
  deliver,
  eventOf,
  FakeFacetModel,
  FakeRequests,
  idOf,
  jobsOf,
  parsed,
  told,
  until,
  untilSettled,
} from '@postmaster/testing';
import { sql } from 'kysely';
import {
  ENRICHMENT_SCHEMA,
  enrichmentMigrations,
  type EnrichmentService,
  enrichmentService,
  type EnrichmentTables,
} from './index.js';
import { makeFacets, type OwnModel } from './make-facets.js';
import { MAKE_FACETS } from './rows/paragraphs.js';

const memory = await openMemoryDatabase([{ schema: ENRICHMENT_SCHEMA, migrations: enrichmentMigrations }]);
const db = databaseOf<EnrichmentTables>(memory.kysely, ENRICHMENT_SCHEMA);
const rows = db as Database<unknown>;

let tenant: TenantId, model: FakeFacetModel, service: EnrichmentService;
const errors: unknown[] = [];
const outcomes: string[] = [];

const requests = new FakeRequests();
requests.answer(documentTexts, () => Promise.resolve({ documents: [] })); // this is about facets
const serviceOf = (given: FakeFacetModel): EnrichmentService =>
  enrichmentService({
    db,
    model: outsideTransactions('model', given),
    requests,
    ...{ seal: { sign: async (identity) => identity.tenant }, pauseMs: 100, languageOf: () => null },
    onSettled: (job, { kind }) => job.kind === MAKE_FACETS && outcomes.push(kind),
    onError: (error) => errors.push(error),
  });
const give = (...event: Parameters<typeof eventOf>): Promise<void> => deliver(service.consumers, eventOf(...event));
const settled = () => untilSettled(rows, tenant);
const enriched = () => told(rows, tenant, 'paragraphs.enriched');
const replies = () => db.asTenant(tenant, (tx) => tx.selectFrom('replies').selectAll().execute());
/** Claims the tenant's only job as a worker does, before any worker runs. */
const claimed = async (): Promise<Job> => {
  const [job] = await claim(rows, { kind: MAKE_FACETS, limit: 1, leaseMs: 60_000, ageingMs: 60_000, served: [] });
  if (job?.tenant !== tenant) throw new Error('Another job was claimed.');
  return job;
};
const readTexts = async () => ({ texts: new Map(), failures: new Map() });
const unread = { readTexts, languageOf: () => null, encode: async () => [] };
const work = (job: Job, ownModel?: OwnModel) =>
  makeFacets({ db, model, ownModel, ...unread })(tenant, [job], new AbortController().signal);

beforeEach(() => {
  outcomes.length = 0;
  tenant = TenantId.parse(`t-${newId().slice(-12)}`);
  model = new FakeFacetModel();
  service = serviceOf(model);
});
afterEach(async () => {
  await service.stop();
  expect(errors.splice(0)).toEqual([]);
});
afterAll(() => memory.close());

describe('no model input is paid for twice', () => {
  it('when two paragraphs have the same input', async () => {
    await give(tenant, 'paragraphs.parsed', parsed('d1', 1, ['Same.']));
    await give(tenant, 'paragraphs.parsed', parsed('d2', 1, ['Same.']));
    service.start();
    await settled();
    expect(model.calls).toHaveLength(1);
    expect((await enriched()).map(({ document }) => document).sort()).toEqual(['d1', 'd2']);
  });

  it('when the event comes again, the same or given out anew', async () => {
    const event = eventOf(tenant, 'paragraphs.parsed', parsed('d', 1, ['One.', 'Two.']));
    await deliver(service.consumers, event);
    service.start();
    await settled();
    await deliver(service.consumers, event);
    expect((await enriched()).flatMap(({ paragraphs }) => paragraphs)).toHaveLength(2);
    await give(tenant, 'paragraphs.parsed', parsed('d', 1, ['One.', 'Two.']));
    expect((await jobsOf(rows, tenant)).filter(({ kind }) => kind === MAKE_FACETS)).toEqual([]);
    expect((await enriched()).at(-1)?.paragraphs).toHaveLength(2);
    expect(model.calls).toHaveLength(2);
  });

  it('when a new version keeps a paragraph: its facets stay and are said of the new version', async () => {
    await give(tenant, 'paragraphs.parsed', parsed('d', 1, ['One.']));
    service.start();
    await settled();
    await give(tenant, 'paragraphs.parsed', parsed('d', 2, ['One.']));
    await settled();
    expect(model.calls).toHaveLength(1);
    expect((await enriched()).map(({ version }) => version)).toEqual([1, 2]);
  });

  it('when the process dies between the reply and its settling', async () => {
    await give(tenant, 'paragraphs.parsed', parsed('d', 1, ['One.']));
    await work(await claimed()); // and what came of it is lost
    await service.recover();
    service.start();
    await settled();
    expect(model.calls).toHaveLength(1);
    expect(await enriched()).toMatchObject([{ paragraphs: [{ id: idOf('d', 'One.'), revision: 1 }] }]);
  });

  it('while another asks for it; a claim whose holder is gone is taken over', async () => {
    await give(tenant, 'paragraphs.parsed', parsed('d', 1, ['One.']));
    const job = await claimed();
    let meanwhile: unknown;
    model.during = async () => {
      model.during = () => {};
      meanwhile = (await work(job)).outcomes.get(job.id);
    };
    await work(job);
    expect(meanwhile).toMatchObject({ kind: 'later' });
    expect(model.calls).toHaveLength(1);

    await db.asTenant(tenant, (tx) => tx.updateTable('replies').set({ facets: null }).execute());
    expect((await work(job)).outcomes.get(job.id)).toMatchObject({ kind: 'later' });
    await db.asTenant(tenant, (tx) => sql`update jobs set leased_until = now() - interval '1 second'`.execute(tx));
    expect((await work(job)).outcomes.get(job.id)).toMatchObject({ kind: 'done' });
    expect(model.calls).toHaveLength(2);
    await db.asTenant(tenant, (tx) => sql`delete from jobs`.execute(tx)); // no worker of a later test takes it up
  });
});

describe('a model that fails', () => {
  it('for being out pauses the work, spends no attempt, and is gone on with by itself', async () => {
    model.failure = new CodedError('MODEL_UNREACHABLE', 'It is out.');
    await give(tenant, 'paragraphs.parsed', parsed('d', 1, ['One.']));
    service.start();
    await until(() => outcomes.length >= 2);
    expect(new Set(outcomes)).toEqual(new Set(['paused']));
    await until(async () =>
      (await jobsOf(rows, tenant)).every(({ state, attempts }) => state === 'ready' && attempts === 0),
    );
    await until(async () => (await replies()).length === 0);
    model.failure = undefined;
    expect(await settled()).toEqual([]);
    expect(model.calls).toHaveLength(1);
  });

  it('for answering nonsense ends as a dead letter that is said, and is made good when sent again', async () => {
    model.failure = new CodedError('MODEL_MALFORMED', 'It keeps answering in verse.');
    await give(tenant, 'paragraphs.parsed', parsed('d', 1, ['One.']));
    service.start();
    const [letter] = await settled();
    expect(letter).toMatchObject({ name: MAKE_FACETS, document: 'd', failure: { code: 'MODEL_MALFORMED' } });
    expect(await told(rows, tenant, 'paragraphs.failed')).toMatchObject([
      {
        document: 'd',
        stage: 'facets',
        failures: [{ paragraph: idOf('d', 'One.'), failure: { code: 'MODEL_MALFORMED' } }],
      },
    ]);
    model.failure = undefined;
    await db.asTenant(tenant, (tx) => revive(tx, tenant, { ids: [letter?.id ?? ''] }));
    expect(await settled()).toEqual([]);
    expect(await enriched()).toHaveLength(1);
  });

  it('in a way that nobody foresaw says that the paragraph is given up, too', async () => {
    model.during = () => {
      throw new Error('a fault of ours');
    };
    await give(tenant, 'paragraphs.parsed', parsed('d', 1, ['One.']));
    service.start();
    expect(await settled()).toMatchObject([{ failure: { code: 'INTERNAL' } }]);
    expect(await told(rows, tenant, 'paragraphs.failed')).toMatchObject([
      { stage: 'facets', failures: [{ failure: { code: 'INTERNAL' } }] },
    ]);
    expect(errors.splice(0)).toHaveLength(5);
  });
});

describe('a lapsed lease', () => {
  it('refuses what comes late: the facets are given out once', async () => {
    await give(tenant, 'paragraphs.parsed', parsed('d', 1, ['One.']));
    const job = await claimed();
    await db.asSystem((tx) =>
      sql`update jobs set leased_until = now() - interval '1 second' where tenant = ${tenant}`.execute(tx),
    );
    model.during = async () => {
      await releaseLapsed(rows, MAKE_FACETS);
    };
    service.start(); // takes the job over while the first is still at it
    await work(job);
    await settled();
    expect(await enriched()).toHaveLength(1);
  });
});

describe('facets wanted anew', () => {
  it('are made by the model of now, with a higher revision; those it made itself stay', async () => {
    await give(tenant, 'paragraphs.parsed', parsed('d', 1, ['One.']));
    service.start();
    await settled();
    await service.stop();
    const better = new FakeFacetModel('fake:better');
    service = serviceOf(better);
    service.start();
    const wanted = { document: 'd', version: 1, lane: 'bulk' } as const;
    await give(tenant, 'facets.wanted', wanted);
    await settled();
    await give(tenant, 'facets.wanted', wanted);
    await settled();
    expect(better.calls).toHaveLength(1);
    expect((await enriched()).map(({ paragraphs: [one] }) => [one?.revision, one?.facets.model])).toEqual([
      [1, 'fake:facets'],
      [2, 'fake:better'],
    ]);
  });
});

describe('a deleted document', () => {
  const remove = (document: string) => give(tenant, 'document.deleted', { document, version: 1 });

  it('is erased with its replies, says so, and lets nothing late back in', async () => {
    await give(tenant, 'paragraphs.parsed', parsed('d', 1, ['One.', 'Two.']));
    service.start();
    await settled();
    await remove('d');
    await give(tenant, 'paragraphs.parsed', parsed('d', 1, ['One.', 'Two.']));
    expect(await jobsOf(rows, tenant)).toEqual([]);
    expect(await replies()).toEqual([]);
    expect(await service.useCases.readFacets(tenant, [idOf('d', 'One.')])).toEqual([null]);
    expect(await told(rows, tenant, 'document.forgotten')).toEqual([
      { document: 'd', version: 1, service: 'enrichment' },
    ]);
    await give(tenant, 'paragraphs.parsed', parsed('d', 2, ['One.']));
    await settled();
    expect((await enriched()).at(-1)).toMatchObject({ version: 2 });
  });

  it('leaves the replies that another document was made from', async () => {
    await give(tenant, 'paragraphs.parsed', parsed('d', 1, ['Same.']));
    await give(tenant, 'paragraphs.parsed', parsed('e', 1, ['Same.']));
    service.start();
    await settled();
    await remove('d');
    expect(await replies()).toHaveLength(1);
    await remove('e');
    expect(await replies()).toEqual([]);
  });

  it('leaves no reply that came while it was deleted, that was not settled, or that another model gave before', async () => {
    await give(tenant, 'paragraphs.parsed', parsed('during', 1, ['One.']));
    model.during = () => remove('during');
    await work(await claimed());
    expect(await replies()).toEqual([]);

    model.during = () => {};
    await give(tenant, 'paragraphs.parsed', parsed('unsettled', 1, ['Two.']));
    await work(await claimed());
    expect(await replies()).toHaveLength(1);
    await remove('unsettled');
    expect(await replies()).toEqual([]);

    await give(tenant, 'paragraphs.parsed', parsed('renewed', 1, ['Three.']));
    service.start();
    await settled();
    await service.stop();
    service = serviceOf(new FakeFacetModel('fake:better'));
    service.start();
    await give(tenant, 'facets.wanted', { document: 'renewed', version: 1, lane: 'bulk' });
    await settled();
    expect(await replies()).toHaveLength(2);
    await remove('renewed');
    expect(await replies()).toEqual([]);
  });

  it('loses what only older versions had when a newer one begins to answer', async () => {
    await give(tenant, 'paragraphs.parsed', parsed('d', 1, ['Old.', 'Both.']));
    await give(tenant, 'paragraphs.parsed', parsed('d', 2, ['Both.']));
    service.start();
    await settled();
    await give(tenant, 'version.activated', { document: 'd', version: 2 });
    const [old, both] = await service.useCases.readFacets(tenant, [idOf('d', 'Old.'), idOf('d', 'Both.')]);
    expect([old, both?.context]).toEqual([null, 'Context of Both.']);
    expect(await replies()).toHaveLength(1);
  });
});

describe("a tenant's own model", () => {
  const workOf = async (ownModel: OwnModel) => {
    await give(tenant, 'paragraphs.parsed', parsed('d', 1, ['One.']));
    const job = await claimed();
    return (await work(job, ownModel)).outcomes.get(job.id)?.kind;
  };

  it("is asked in place of the server's", async () => {
    const asked = new FakeFacetModel();
    expect(await workOf((of) => Promise.resolve(of === tenant ? asked : undefined))).toBe('done');
    expect([asked.calls.length, model.calls.length]).toEqual([1, 0]);
  });

  it('delays its own paragraphs alone when it is out', async () => {
    const out = new FakeFacetModel();
    out.failure = new CodedError('MODEL_UNREACHABLE', 'It is out.');
    expect(await workOf(() => Promise.resolve(out))).toBe('later'); // "paused" would rest everybody's work
    expect(model.calls).toHaveLength(0);
  });

  it("is never stood in for by the server's when it can't be told", async () => {
    expect(await workOf(() => Promise.reject(new CodedError('SERVICE_UNAVAILABLE', 'Nobody answers.')))).toBe('later');
    expect(model.calls).toHaveLength(0);
  });
});
