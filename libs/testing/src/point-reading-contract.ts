import { beforeEach, describe, expect, it } from 'vitest';
import { LEGS } from '@postmaster/contracts';
import type { ParagraphChoice } from '@postmaster/retrieval';
import { completed, found, leaning, leg, ours, type Points, probe, spec, text, theirs } from './point-fixtures.js';

/** What every candidate store answers. */
export const pointReadingContract = (name: string, make: () => Promise<Points>): void => {
  describe(`${name} as a candidate store`, () => {
    let store: Points;
    beforeEach(async () => {
      store = await make();
    });

    it('answers an index or a tenant without points with nothing', async () => {
      const nothing = Object.fromEntries(LEGS.map((name) => [name, []]));
      expect(await store.candidates(ours, spec.name, probe({ text: 'word' }), 50)).toEqual(nothing);
      expect(await store.complete(ours, spec.name, probe({ text: 'word' }), ['p'])).toEqual([]);
    });

    it("gives each leg's best, best first, and no more than asked for", async () => {
      const cosines = [0.1, 0.9, -0.5, 0.3, 0.7];
      await store.put(
        ours,
        spec,
        cosines.map((cosine, i) => ({
          ...text(`p${i}`, 'words'),
          vectors: { paragraph: leaning(cosine), scope: leaning(-cosine) },
        })),
      );
      const lists = await store.candidates(ours, spec.name, probe({ legs: ['paragraph', 'scope', 'context'] }), 3);
      expect(lists.paragraph?.map(({ id }) => id)).toEqual(['p1', 'p4', 'p3']);
      lists.paragraph?.forEach(({ score }, i) => expect(score).toBeCloseTo([0.9, 0.7, 0.3][i] ?? NaN, 5));
      expect(lists.scope?.map(({ id }) => id)).toEqual(['p2', 'p0', 'p3']);
      expect(lists.scope?.[0]?.score).toBeCloseTo(0.5, 5);
      expect(lists.context).toEqual([]);
      expect(Object.keys(lists).sort()).toEqual(['context', 'paragraph', 'scope']);
    });

    it('searches a tenant of three paragraphs', async () => {
      await store.put(ours, spec, [
        text('a', 'The fox jumps.'),
        text('b', 'The dog sleeps.'),
        text('c', 'A cat watches the dog.'),
      ]);
      await store.optimize(ours, spec);
      const list = await leg(store, 'lexical', { text: 'dog' });
      expect(list.map(([id]) => id)).toEqual(['b', 'c']); // the shorter one first
      expect((await leg(store, 'paragraph')).map(([id]) => id).sort()).toEqual(['a', 'b', 'c']);
    });

    it('takes the best of several questions and tells which it was', async () => {
      const simple_questions = [leaning(0.2), leaning(0.8, 3), leaning(-0.4, 2)];
      const complex_questions = [leaning(-0.6), leaning(-0.7)];
      await store.put(ours, spec, [
        { ...text('p', 'one'), vectors: { paragraph: leaning(0.5), simple_questions, complex_questions } },
        { ...text('q', 'two'), vectors: { paragraph: leaning(0.5), simple_questions: [leaning(0.7)] } },
      ]);
      const point = (await completed(store, ['p'])).get('p');
      expect(point?.scores.simple_questions).toBeCloseTo(0.8, 5);
      expect(point?.scores.complex_questions).toBeCloseTo(-0.6, 5);
      expect(point?.matched).toEqual({ simple_questions: 1, complex_questions: 0 });
      const list = await leg(store, 'simple_questions');
      expect(list.map(([id]) => id)).toEqual(['p', 'q']);
      expect(list[0]?.[1]).toBeCloseTo(0.8, 5);
    });

    it('leaves a paragraph without facets out of their legs: no score, not a score of 0', async () => {
      await store.put(ours, spec, [
        text('bare', 'some words'),
        {
          ...text('full', 'other words'),
          vectors: {
            paragraph: leaning(0.5),
            simple_questions: [leaning(0.7)],
            context: leaning(0),
            scope: leaning(-0.2),
          },
        },
      ]);
      for (const name of ['simple_questions', 'context', 'scope'] as const)
        expect((await leg(store, name)).map(([id]) => id)).toEqual(['full']);
      const points = await completed(store, ['bare', 'full'], { text: 'words' });
      expect(Object.keys(points.get('bare')?.scores ?? {}).sort()).toEqual(['lexical', 'paragraph']);
      expect(points.get('bare')?.matched).toEqual({});
      expect(points.get('full')?.scores.context).toBeCloseTo(0, 5);
      expect(points.get('full')?.scores).not.toHaveProperty('complex_questions');
    });

    it('gives the same score for a point in a list and when asked for it', async () => {
      const patches = Array.from({ length: 12 }, (_, i) => ({
        ...text(`p${i}`, `shared word${i % 3} ${'long '.repeat(i)}`),
        vectors: { paragraph: leaning(i / 13, 1 + (i % 5)), complex_questions: [leaning(i / 14), leaning(0.3, 2)] },
      }));
      await store.put(ours, spec, patches);
      await store.optimize(ours, spec);
      const asked = probe({ text: 'shared word1' });
      const lists = await store.candidates(ours, spec.name, asked, 50);
      const points = await completed(
        store,
        patches.map(({ id }) => id),
        asked,
      );
      for (const name of ['paragraph', 'complex_questions', 'lexical'] as const) {
        expect(lists[name]).toHaveLength(12);
        for (const { id, score } of lists[name] ?? []) expect(points.get(id)?.scores[name]).toBeCloseTo(score, 4);
      }
    });

    it('scores 0 on the lexical leg where no word matches, and keeps it out of the list', async () => {
      await store.put(ours, spec, [text('p', 'a fox'), text('q', 'a hen')]);
      await store.optimize(ours, spec);
      const points = await completed(store, ['p', 'q'], { text: 'hen' });
      expect(points.get('p')?.scores.lexical).toBe(0);
      expect(points.get('q')?.scores.lexical).toBeGreaterThan(0);
      expect((await leg(store, 'lexical', { text: 'hen' })).map(([id]) => id)).toEqual(['q']);
    });

    it('finds words of paragraph and facets alike, in any case, whole and in any language', async () => {
      await store.put(ours, spec, [
        text('code', 'Invoice INV-2024-0012 was paid.'),
        text('danish', 'Årsmødet på Ærø', { simpleQuestions: ['Hvornår var mødet?'] }),
        text('facets', 'plain', { complexQuestions: ['Why tariffs?'], context: 'A ledger', scope: 'customs duties' }),
      ]);
      await store.optimize(ours, spec);
      const ids = async (words: string) => (await leg(store, 'lexical', { text: words })).map(([id]) => id);
      expect(await ids('inv-2024-0012')).toEqual(['code']);
      expect(await ids('ÅRSMØDET')).toEqual(['danish']);
      expect(await ids('årsmødet hvornår')).toEqual(['danish']);
      for (const word of ['tariffs', 'LEDGER', 'duties']) expect(await ids(word)).toEqual(['facets']);
      expect(await ids('arsmodet voice')).toEqual([]);
    });

    it('matches any of the words, each counted once', async () => {
      await store.put(ours, spec, [text('p', 'red fox'), text('q', 'red hen'), text('r', 'blue cow')]);
      await store.optimize(ours, spec);
      expect((await leg(store, 'lexical', { text: 'hen red' })).map(([id]) => id)).toEqual(['q', 'p']);
      expect(await leg(store, 'lexical', { text: 'red red red hen' })).toEqual(
        await leg(store, 'lexical', { text: 'red hen' }),
      );
    });

    it.each([
      'say "red fox" AND NOT hen',
      `red fox'; drop table p; --`,
      'foo:bar red^2 fox~',
      '+red -fox (hen',
      'red* fox? \\',
    ])('reads %s as plain words', async (question) => {
      await store.put(ours, spec, [text('p', 'the red fox'), text('q', 'green')]);
      await store.optimize(ours, spec);
      const list = await leg(store, 'lexical', { text: question });
      expect(list.map(([id]) => id)).toEqual(['p']);
      expect(list).toEqual(await leg(store, 'lexical', { text: 'red fox' }));
    });

    it('answers a question without a word with an empty lexical leg, and the other legs as ever', async () => {
      await store.put(ours, spec, [text('p', 'one')]);
      for (const question of ['', '?!', '"" -- ()']) {
        expect(await leg(store, 'lexical', { text: question })).toEqual([]);
        expect(await found(store, { text: question })).toEqual(['p']);
        expect((await completed(store, ['p'], { text: question })).get('p')?.scores.lexical).toBe(0);
      }
    });

    it('never answers with an inactive point', async () => {
      await store.put(ours, spec, [text('p', 'red fox'), text('q', 'red hen', { active: false })]);
      expect(await found(store, { text: 'red' })).toEqual(['p']);
      expect([...(await completed(store, ['p', 'q'])).keys()]).toEqual(['p']);
      await store.put(ours, spec, [
        { id: 'p', revision: 2, payload: { active: false } },
        { id: 'q', revision: 2, payload: { active: true } },
      ]);
      expect(await found(store, { text: 'red' })).toEqual(['q']);
    });

    it("lets another tenant's documents change no score and reach no answer", async () => {
      const mine = [text('p', 'a rare word and a common one'), text('q', 'a common one')];
      await store.put(ours, spec, mine);
      await store.optimize(ours, spec);
      const before = {
        lists: await store.candidates(ours, spec.name, probe({ text: 'rare common' }), 50),
        points: await completed(store, ['p', 'q'], { text: 'rare common' }),
      };
      await store.put(theirs, spec, [
        ...Array.from({ length: 20 }, (_, i) => text(`t${i}`, 'rare rare words')),
        text('p', 'theirs'),
      ]);
      await store.optimize(theirs, spec);
      await store.optimize(ours, spec);
      expect(await store.candidates(ours, spec.name, probe({ text: 'rare common' }), 50)).toEqual(before.lists);
      expect(await completed(store, ['p', 'q', 't1'], { text: 'rare common' })).toEqual(before.points);
      await store.remove(theirs, spec, ['p']);
      expect((await store.revisions(ours, spec)).has('p')).toBe(true);
    });

    it('gives the payload back to the letter', async () => {
      const odd = {
        title: 'Ærø’s "notes" \\ 2',
        collection: 'a/b & c',
        trail: ['One', 'Two – 2'],
        page: 3,
        createdAt: '2024-03-01T00:00:00.000Z',
        metadata: { 'a.b': [1, null, { c: 'd' }], empty: {}, small: 1e-7, large: 1e21, whole: 2 ** 53 - 1, no: false },
      };
      const given = text('p', 'Line\nbreak \t tab \u2028 and 🙂 \\u0041 "quoted"', odd);
      await store.put(ours, spec, [given]);
      expect((await completed(store, ['p'])).get('p')?.payload).toEqual(given.payload);
      expect([...(await completed(store, ['p'], { filter: { collections: ['a/b & c'] } })).keys()]).toEqual(['p']);
    });

    it('reads paragraphs by document and positions, in their order and no more than asked for', async () => {
      const at = (document: string, position: number, more = {}) =>
        text(`${document}-${position}`, `“"position":${position}”`, { document, position, ...more });
      await store.put(ours, spec, [
        ...[4, 2, 3, 1].map((position) => at("d'1", position)),
        ...[1, 2].map((position) => at('d2', position)),
        at('d2', 3, { active: false }),
      ]);
      await store.put(theirs, spec, [at("d'1", 2)]);
      const read = async (choice: ParagraphChoice, most = 10, tenant = ours) =>
        (await store.read(tenant, spec.name, choice, most)).map(({ id }) => id);
      const spans = [
        { document: "d'1", from: 2, to: 3 },
        { document: 'd2', from: 2, to: 9 },
      ];
      expect(await read({ spans })).toEqual(["d'1-2", "d'1-3", 'd2-2']);
      expect(await read({ spans, filter: { documents: ['d2'] } })).toEqual(['d2-2']);
      expect(await read({ spans }, 2)).toHaveLength(2);
      expect(await read({ spans: [] })).toEqual([]);
      expect(await read({ spans }, 10, theirs)).toEqual(["d'1-2"]);
      expect(await read({ ids: ["d'1-4", 'd2-3', 'none'] })).toEqual(["d'1-4"]);
      expect(await read({}, 100)).toHaveLength(6);
      await store.put(ours, spec, [{ id: 'd2-1', revision: 2, payload: { position: 5 } }]);
      expect(await read({ spans: [{ document: 'd2', from: 5, to: 5 }] })).toEqual(['d2-1']);
      await store.remove(ours, spec, ['d2-1']);
      expect(await read({ filter: { documents: ['d2'] } })).toEqual(['d2-2']);
    });

    it('reads the vector of the text where it is asked for, and the payload to the letter', async () => {
      const given = text('p', 'one');
      await store.put(ours, spec, [given]);
      const [plain] = await store.read(ours, spec.name, { ids: ['p'] }, 1);
      expect(plain).toEqual({ id: 'p', payload: given.payload, vector: null });
      const [full] = await store.read(ours, spec.name, { ids: ['p'], vectors: true }, 1);
      expect([...full!.vector!]).toEqual([...leaning(0.5)].map((value) => expect.closeTo(value, 6)));
      expect(await store.read(ours, 'index_of-none', { ids: ['p'] }, 1)).toEqual([]);
    });

    it('asks only the legs of the probe', async () => {
      await store.put(ours, spec, [text('p', 'one')]);
      const point = (await completed(store, ['p'], { text: 'one', legs: ['paragraph'] })).get('p');
      expect(Object.keys(point?.scores ?? {})).toEqual(['paragraph']);
    });
  });
};
