import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SUMMARY_POSITION, summaryId } from '@postmaster/contracts';
import type { Database } from '@postmaster/durable';
import { documentFacts, FakePointStore, idOf, parsed, told, untilSettled } from '@postmaster/testing';
import { closeWorlds, db, openWorld, servingIndex, sorted, wantedRevisions, type World } from '../test/repair-world.js';
import { documentsLeft } from './documents-left.js';
import { indexOf } from './index.js';

const rows = db as Database<unknown>;
let world: World;
let store: FakePointStore;

beforeEach(() => {
  store = new FakePointStore();
  world = openWorld(store);
});
afterEach(async () => expect(await closeWorlds()).toEqual([]));

const settled = (of = world) => untilSettled(rows, of.tenant);
const made = (version: number, revision: number, paragraph: string) =>
  ({ document: 'd', version, lane: 'bulk', revision, paragraph }) as const;
const sum = async (...of: Parameters<typeof made>) => {
  await world.give('summary.made', made(...of));
  await settled();
};
const read = async (version: number, texts: readonly string[], given = {}) => {
  await world.give('paragraphs.parsed', parsed('d', version, texts, given));
  await settled();
};
const activate = async (version: number) => {
  await world.give('version.activated', { document: 'd', version });
  await settled();
};
const point = (version: number, of = world) =>
  store.point(of.tenant, indexOf(of.encoder).name, summaryId('d', version));

describe('the point of a summary', () => {
  it('has title and summary for its text, a vector of them, and counts in no progress', async () => {
    await expect(world.give('summary.made', made(1, 1, 'Two things.'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await read(1, ['One.', 'Two.'], { facts: documentFacts({ title: 'Things', collection: 'c' }) });
    await sum(1, 1, 'Two things.');
    expect(point(1)?.payload).toMatchObject({
      ...{ text: 'Things\nTwo things.', document: 'd', version: 1, active: true, collection: 'c' },
      position: SUMMARY_POSITION,
    });
    expect(point(1)?.vectors.paragraph).toEqual((await world.encoder.embed(['Things\nTwo things.']))[0]);
    const indexed = await told(rows, world.tenant, 'paragraphs.indexed');
    const ids = indexed.flatMap(({ paragraphs }) => paragraphs);
    expect(ids.sort()).toEqual([idOf('d', 'One.'), idOf('d', 'Two.')].sort());
  });

  it('is as its latest revision, in whatever order they come', async () => {
    await read(1, ['One.']);
    await sum(1, 2, 'By the model.');
    await sum(1, 1, 'By sentences.');
    expect(point(1)?.payload.text).toBe('A title\nBy the model.');
    await sum(1, 3, 'By another.');
    expect(point(1)?.payload.text).toBe('A title\nBy another.');
    expect(point(1)?.vectors.paragraph).toEqual((await world.encoder.embed(['A title\nBy another.']))[0]);
  });

  it('answers when its version does, and goes when a newer one does', async () => {
    await read(1, ['One.']);
    await sum(1, 1, 'Of the first.');
    await read(2, ['Two.']);
    await sum(2, 2, 'Of the second.');
    expect([point(1)?.payload.active, point(2)?.payload.active]).toEqual([true, false]);
    await activate(2);
    expect([point(1), point(2)?.payload.active]).toEqual([undefined, true]);
    await read(3, ['Three.']);
    await activate(3);
    await sum(3, 3, 'Of the third, late.');
    await sum(2, 4, 'Of the second, too late.');
    expect([point(2), point(3)?.payload.active]).toEqual([undefined, true]);
  });

  it('goes with its document, is counted with what is left of it, and does not come back', async () => {
    await read(1, ['One.']);
    await sum(1, 1, 'Of one.');
    const left = async () => {
      const places = await documentsLeft({ db, store })(world.tenant, ['d']);
      return Object.fromEntries(places.map(({ place, left }) => [place, left]));
    };
    expect(await left()).toMatchObject({ paragraphs: 1, summaries: 1, vectors: 2 });
    await world.give('document.deleted', { document: 'd', version: 1 });
    await sum(1, 2, 'Late.');
    expect(await left()).toMatchObject({ paragraphs: 0, summaries: 0, vectors: 0 });
  });

  it('is not made of a document whose text is not stored', async () => {
    await read(1, ['One.'], { facts: documentFacts({ reference: true }), paragraphs: [] });
    await sum(1, 1, 'What it says.');
    expect(point(1)).toBeUndefined();
  });

  it('is its tenant’s alone', async () => {
    const other = openWorld(store);
    await read(1, ['One.']);
    await other.give('paragraphs.parsed', parsed('d', 1, ['One.']));
    await sum(1, 1, 'Of ours.');
    await settled(other);
    expect([point(1)?.payload.text, point(1, other)]).toEqual(['A title\nOf ours.', undefined]);
  });

  it('is found missing, stale or left over by a comparison and mended, and filled by a rebuild', async () => {
    await world.fill({ d: ['One.', 'Two.'] });
    await sum(1, 1, 'Of both.');
    const first = await servingIndex(world.tenant);
    const compare = async () => world.ended(await world.service.useCases.upkeep.reconcile(world.tenant, false));
    expect(await compare()).toMatchObject({ looked: 3, missing: 0, orphaned: 0, stale: 0 });
    await store.remove(world.tenant, first, [summaryId('d', 1)]);
    await store.put(world.tenant, first, [{ id: summaryId('d', 9), revision: 1 }]);
    expect(await compare()).toMatchObject({ missing: 1, orphaned: 1, stale: 0, mended: 2 });
    expect(point(1)?.payload).toMatchObject({ text: 'A title\nOf both.', active: true });
    await world.ended(await world.service.useCases.upkeep.rebuild(world.tenant));
    const second = await servingIndex(world.tenant);
    expect(second.name).not.toBe(first.name);
    expect(sorted(await store.revisions(world.tenant, second))).toEqual(sorted(await wantedRevisions(world.tenant)));
    expect(await store.count(world.tenant, second, ['d'])).toBe(3);
  });
});
