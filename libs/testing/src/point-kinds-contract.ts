import { beforeEach, describe, expect, it } from 'vitest';
import { LEGS, SUMMARY_POSITION } from '@postmaster/contracts';
import type { PointPatch } from '@postmaster/embedding';
import { completed, found, leaning, leg, ours, type Points, probe, spec, text, theirs } from './point-fixtures.js';

/** What every vector store makes of points that are of summaries, beside those of paragraphs. */
export const pointKindsContract = (name: string, make: () => Promise<Points>): void => {
  describe(`${name}, with summaries beside paragraphs`, () => {
    let store: Points;
    const words = 'the harbour dues';
    const paragraphs: PointPatch[] = [
      text('p0', 'The harbour has a master', { position: 0 }),
      text('p1', 'The dues are paid at the gate', { position: 1 }),
      text('p2', 'Nothing else is said of it', { position: 2 }),
    ];
    const summary = (id: string, document = 'd1', active = true): PointPatch => ({
      ...text(id, 'Harbour: harbour dues and the harbour master', { document, active, position: SUMMARY_POSITION }),
      vectors: { paragraph: leaning(0.9) },
    });
    beforeEach(async () => {
      store = await make();
      await store.put(ours, spec, paragraphs);
    });
    const settled = [
      ['as they came', async () => {}],
      ['after a compaction', () => store.optimize(ours, spec)],
    ] as const;

    it.each(settled)('gives summaries to who asks for them alone, %s', async (_, settle) => {
      await store.put(ours, spec, [summary('s1'), summary('s2', 'd2', false)]);
      await settle();
      expect(await found(store, { text: words })).toEqual(['p0', 'p1', 'p2']);
      expect(await found(store, { text: words, kind: 'summary', legs: ['paragraph', 'lexical'] })).toEqual(['s1']);
      expect(await leg(store, 'paragraph', { kind: 'summary' })).toEqual([['s1', expect.closeTo(0.9, 5)]]);
    });

    it.each(settled)('scores paragraphs as without them, %s', async (_, settle) => {
      const before = await leg(store, 'lexical', { text: words });
      await store.put(ours, spec, [summary('s1'), summary('s2', 'd2'), summary('s3', 'd3')]);
      await settle();
      expect(await leg(store, 'lexical', { text: words })).toEqual(before);
      const all = await completed(store, ['p0', 'p1', 's1'], { text: words });
      expect([...all.keys()].sort()).toEqual(['p0', 'p1', 's1']);
      expect(all.get('p0')?.scores.lexical).toBeCloseTo(new Map(before).get('p0') ?? NaN, 5);
      expect(all.get('s1')?.scores.lexical).toBeGreaterThan(all.get('p0')?.scores.lexical ?? NaN);
      await store.remove(ours, spec, ['s1', 's2', 's3']);
      expect(await leg(store, 'lexical', { text: words })).toEqual(before);
    });

    it('fills no place of a paragraph among the best of a leg', async () => {
      const ids = Array.from({ length: 12 }, (_, i) => `s${i}`);
      await store.put(
        ours,
        spec,
        ids.map((id) => summary(id, id)),
      );
      await store.optimize(ours, spec);
      const lists = await store.candidates(ours, spec.name, probe({ text: words, legs: ['paragraph'] }), 3);
      expect(lists.paragraph?.map(({ id }) => id)).toEqual(['p0', 'p1', 'p2']);
    });

    it.each(settled)('reads none where paragraphs are read, %s', async (_, settle) => {
      await store.put(ours, spec, [summary('s1')]);
      await settle();
      const read = async (choice: Parameters<Points['read']>[2]) =>
        (await store.read(ours, spec.name, choice, 10)).map(({ id }) => id);
      expect(await read({ spans: [{ document: 'd1', from: -1, to: 1 }] })).toEqual(['p0', 'p1']);
      expect(await read({ ids: ['s1', 'p2'] })).toEqual(['p2']);
      expect(await read({})).toEqual(['p0', 'p1', 'p2']);
    });

    it('counts them with their document, filters them by it, and keeps them to their tenant', async () => {
      await store.put(ours, spec, [summary('s1'), summary('s2', 'd2')]);
      await store.put(theirs, spec, [summary('s3')]);
      const asked = { text: words, kind: 'summary' as const, legs: [...LEGS] };
      expect(await found(store, { ...asked, filter: { documents: ['d2'] } })).toEqual(['s2']);
      expect(await found(store, asked)).toEqual(['s1', 's2']);
      expect(await found(store, asked, theirs)).toEqual(['s3']);
      expect(await store.count(ours, spec, ['d1'])).toBe(4);
      expect([...(await store.revisions(ours, spec)).keys()].sort()).toEqual(['p0', 'p1', 'p2', 's1', 's2']);
    });
  });
};
