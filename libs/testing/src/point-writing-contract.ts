import { beforeEach, describe, expect, it } from 'vitest';
import { completed, found, leaning, leg, ours, type Points, spec, text, theirs } from './point-fixtures.js';

/** What every point store does with what is written to it. */
export const pointWritingContract = (name: string, make: () => Promise<Points>): void => {
  describe(`${name} as a point store`, () => {
    let store: Points;
    beforeEach(async () => {
      store = await make();
    });

    it('takes facets before their text: nothing answers until the text is there, then both do', async () => {
      const facets = { simpleQuestions: ['When was it signed?'], context: 'A treaty' };
      const vectors = { simple_questions: [leaning(0.75)], context: leaning(0.25) };
      await store.put(ours, spec, [{ id: 'p', revision: 1, payload: facets, vectors }]);
      expect(await found(store, { text: 'signed' })).toEqual([]);
      expect([...(await store.revisions(ours, spec))]).toEqual([['p', 1]]);

      const { simpleQuestions: _, context: __, ...late } = text('p', 'It was agreed in 1648.').payload ?? {};
      await store.put(ours, spec, [{ id: 'p', revision: 2, payload: late, vectors: { paragraph: leaning(0.5) } }]);
      await store.optimize(ours, spec);
      const { scores, payload } = (await completed(store, ['p'], { text: 'signed' })).get('p') ?? {};
      expect(payload).toMatchObject({ text: 'It was agreed in 1648.', ...facets });
      expect(scores?.paragraph).toBeCloseTo(0.5, 5);
      expect(scores?.simple_questions).toBeCloseTo(0.75, 5);
      expect(scores?.lexical).toBeGreaterThan(0);
      expect((await leg(store, 'lexical', { text: 'agreed' })).map(([id]) => id)).toEqual(['p']);
    });

    it('leaves alone what a patch does not name', async () => {
      const given = text('p', 'one text', { context: 'a context', metadata: { a: 1 } });
      await store.put(ours, spec, [{ ...given, vectors: { ...given.vectors, scope: leaning(0.25) } }]);
      await store.put(ours, spec, [{ id: 'p', revision: 2, payload: { scope: 'a scope', page: 3 } }]);
      const point = (await completed(store, ['p'])).get('p');
      expect(point?.payload).toEqual({ ...given.payload, scope: 'a scope', page: 3 });
      expect(point?.scores.paragraph).toBeCloseTo(0.5, 5);
      expect(point?.scores.scope).toBeCloseTo(0.25, 5);
    });

    it('takes a vector away for null, and a list of questions for an empty one too', async () => {
      const all = { simple_questions: [leaning(0.75)], complex_questions: [leaning(0.25)], context: leaning(0.5) };
      await store.put(ours, spec, [{ ...text('p', 'one'), vectors: { paragraph: leaning(0.5), ...all } }]);
      const less = { simple_questions: [], complex_questions: null, context: null };
      await store.put(ours, spec, [{ id: 'p', revision: 2, vectors: less }]);
      expect(Object.keys((await completed(store, ['p'])).get('p')?.scores ?? {}).sort()).toEqual([
        'lexical',
        'paragraph',
      ]);
      expect(await leg(store, 'context')).toEqual([]);
      expect(await leg(store, 'simple_questions')).toEqual([]);
    });

    it('gives the vectors of facets by the texts that came with them, and none once the two came apart', async () => {
      const facets = { simpleQuestions: ['Who?', 'When?'], complexQuestions: ['Why?'], context: 'A treaty', scope: '' };
      const [who, when, why, treaty] = [leaning(0.1), leaning(0.2), leaning(0.3), leaning(0.4)];
      const questions = { simple_questions: [who, when], complex_questions: [why] };
      const vectors = { ...questions, context: treaty, scope: null };
      const known = async (...ids: string[]) => {
        const found = await store.facetVectors(ours, spec, ids);
        return Object.fromEntries(
          [...found].map(([id, by]) => [id, [...by].map(([text, [cosine]]) => [text, cosine])]),
        );
      };
      const near = (cosine: number): unknown => expect.closeTo(cosine, 5);
      const all = [
        ['Who?', near(0.1)],
        ['When?', near(0.2)],
        ['Why?', near(0.3)],
        ['A treaty', near(0.4)],
      ];
      const put = (id: string) => store.put(ours, spec, [{ id, revision: 1, payload: facets, vectors }]);
      await store.put(
        ours,
        spec,
        ['p', 'q', 'r', 's'].map((id) => text(id, 'It was signed.')),
      );
      for (const id of ['p', 'q', 'r']) await put(id);
      await store.optimize(ours, spec);
      expect(await known('p', 's', 'no such')).toEqual({ p: all, s: [] });
      await put('p');
      await store.put(ours, spec, [{ id: 'p', revision: 2, payload: { ...facets, active: true, page: 3 } }]);
      await store.put(ours, spec, [{ id: 'q', revision: 2, payload: { simpleQuestions: ['Who?', 'Where?'] } }]);
      await store.put(ours, spec, [{ id: 'r', revision: 2, vectors: { simple_questions: [when, who] } }]);
      expect(await known('p', 'q', 'r')).toEqual({ p: all, q: [], r: [] });
      expect((await store.facetVectors(theirs, spec, ['p'])).size).toBe(0);
    });

    it('holds the fields of one point together when two writers change different ones at once', async () => {
      await store.put(ours, spec, [text('p', 'the text')]);
      await Promise.all([
        store.put(ours, spec, [{ id: 'p', revision: 2, payload: { context: 'the context' } }]),
        store.put(ours, spec, [{ id: 'p', revision: 3, payload: { scope: 'the scope' } }]),
        store.put(ours, spec, [{ id: 'p', revision: 4, vectors: { scope: leaning(0.25) } }]),
      ]);
      const point = (await completed(store, ['p'])).get('p');
      expect(point?.payload).toMatchObject({ text: 'the text', context: 'the context', scope: 'the scope' });
      expect(point?.scores.scope).toBeCloseTo(0.25, 5);
    });

    it('keeps each id once when eight writers bring the same new ones', async () => {
      const ids = Array.from({ length: 32 }, (_, i) => `p${i}`);
      const writer = async (revision: number) => {
        for (const some of [ids.slice(0, 16), ids.slice(16)])
          await store.put(
            ours,
            spec,
            some.map((id) => ({ ...text(id, `words of ${id}`), revision })),
          );
      };
      await Promise.all(Array.from({ length: 8 }, (_, revision) => writer(revision)));
      await store.optimize(ours, spec);
      expect([...(await store.revisions(ours, spec)).keys()].sort()).toEqual([...ids].sort());
      const lists = await store.candidates(
        ours,
        spec.name,
        { vector: leaning(0.5), text: 'words', legs: ['paragraph', 'lexical'] },
        100,
      );
      expect(lists.paragraph?.map(({ id }) => id).sort()).toEqual([...ids].sort());
      expect(lists.lexical?.map(({ id }) => id).sort()).toEqual([...ids].sort());
      expect(
        await store.complete(ours, spec.name, { vector: leaning(0.5), text: 'words', legs: ['paragraph'] }, ids),
      ).toHaveLength(32);
    });

    it('ends deleted when the delete comes last, though facets are still arriving', async () => {
      await store.put(ours, spec, [text('p', 'one'), text('q', 'two')]);
      const facets = Array.from({ length: 5 }, (_, i) =>
        store.put(ours, spec, [{ id: 'p', revision: 2 + i, payload: { context: `context ${i}` } }]),
      );
      await Promise.all([...facets, store.remove(ours, spec, ['p'])]);
      expect([...(await store.revisions(ours, spec)).keys()]).toEqual(['q']);
      expect(await found(store, { text: 'context one two' })).toEqual(['q']);
    });

    it('makes the point anew when it is put after its removal, with nothing of before', async () => {
      await store.put(ours, spec, [text('p', 'before', { context: 'old' })]);
      const { context: _, ...payload } = text('p', 'after').payload ?? {};
      await Promise.all([store.remove(ours, spec, ['p']), store.put(ours, spec, [{ id: 'p', revision: 2, payload }])]);
      const point = (await completed(store, ['p'])).get('p');
      expect(point?.payload).toMatchObject({ text: 'after', context: '' });
      expect(point?.scores.paragraph).toBeUndefined();
    });

    it('changes nothing when the same patch comes again', async () => {
      const patch = {
        ...text('p', 'the same words'),
        vectors: { paragraph: leaning(0.5), simple_questions: [leaning(0.75), leaning(0.25)] },
      };
      await store.put(ours, spec, [patch]);
      await store.optimize(ours, spec);
      const once = await completed(store, ['p'], { text: 'words' });
      await store.put(ours, spec, [patch, patch]);
      await store.put(ours, spec, [patch]);
      await store.optimize(ours, spec);
      expect(await completed(store, ['p'], { text: 'words' })).toEqual(once);
      expect((await store.revisions(ours, spec)).size).toBe(1);
    });

    it('tells the revision that each point was written from, for the ids asked or for all', async () => {
      await store.put(ours, spec, [
        { ...text('p', 'one'), revision: 7 },
        { ...text('q', 'two'), revision: 9_007_199_254 },
      ]);
      expect([...(await store.revisions(ours, spec, ['q', 'nowhere']))]).toEqual([['q', 9_007_199_254]]);
      expect((await store.revisions(ours, spec)).get('p')).toBe(7);
      expect(await store.revisions(ours, spec, [])).toEqual(new Map());
      expect(await store.revisions(theirs, spec)).toEqual(new Map());
    });

    it('counts the points of a tenant, or of some of its documents, active or not', async () => {
      const spare = { ...spec, name: 'counted-index' };
      const of = (id: string, document: string, active = true) => {
        const point = text(id, id);
        return { ...point, payload: { ...point.payload, document, active } };
      };
      await store.put(ours, spare, [of('p', 'one'), of('q', 'one', false), of('r', "o'two")]);
      await store.put(theirs, spare, [of('s', 'one')]);
      for (const optimized of [false, true]) {
        if (optimized) await store.optimize(ours, spare);
        expect(await store.count(ours, spare)).toBe(3);
        expect(await store.count(ours, spare, ['one'])).toBe(2);
        expect(await store.count(ours, spare, ["o'two", 'none'])).toBe(1);
        expect(await store.count(ours, spare, [])).toBe(0);
      }
      await store.remove(ours, spare, ['p', 'r']);
      expect(await store.count(ours, spare, ['one', "o'two"])).toBe(1);
      await store.dropIndex(spare.name);
      expect(await store.count(ours, spare)).toBe(0);
    });

    it('gives each point once, page by page, with the revision that it was written from', async () => {
      const ids = Array.from({ length: 1203 }, (_, i) => `p${i}`);
      const patches = ids.map((id, i) => ({ id, revision: i + 1, vectors: { paragraph: leaning(0.5) } }));
      await store.put(ours, spec, patches);
      await store.put(theirs, spec, [text('p', 'one')]);
      const listed: [string, number][] = [];
      let page = await store.page(ours, spec);
      listed.push(...page.revisions);
      while (page.next !== undefined) listed.push(...(page = await store.page(ours, spec, page.next)).revisions);
      expect(listed.sort()).toEqual(patches.map(({ id, revision }) => [id, revision]).sort());
      expect(await store.page(ours, { ...spec, name: 'nowhere' })).toEqual({ revisions: new Map() });
    });

    it('drops the points of one tenant in one index, and goes on with new ones', async () => {
      const other = { ...spec, name: 'another-index' };
      await store.put(ours, spec, [text('p', 'one')]);
      await store.put(ours, other, [text('p', 'one')]);
      await store.put(theirs, spec, [text('p', 'one')]);
      await store.drop(ours, spec);
      await store.drop(ours, spec);
      expect([...(await store.revisions(ours, spec))]).toEqual([]);
      expect((await store.revisions(ours, other)).size + (await store.revisions(theirs, spec)).size).toBe(2);
      await store.put(ours, spec, [text('q', 'two')]);
      expect(await found(store, { text: 'two' })).toEqual(['q']);
    });

    it('drops an index whole, with the points of every tenant, and no other; its name can be filled anew', async () => {
      const other = { ...spec, name: 'another-index' };
      for (const tenant of [ours, theirs]) await store.put(tenant, spec, [text('p', 'one')]);
      await store.put(ours, other, [text('p', 'one')]);
      await store.dropIndex(spec.name);
      await store.dropIndex(spec.name);
      for (const tenant of [ours, theirs]) expect((await store.revisions(tenant, spec)).size).toBe(0);
      expect((await store.revisions(ours, other)).size).toBe(1);
      await store.put(ours, spec, [text('q', 'two')]);
      expect(await found(store, { text: 'two' })).toEqual(['q']);
      await store.dropIndex(other.name);
    });

    it('refuses vectors of another dimension than the index holds, names both, and writes nothing', async () => {
      await store.put(ours, spec, [text('p', 'one')]);
      const wrong = { id: 'q', revision: 1, vectors: { simple_questions: [new Float32Array(5).fill(0.5)] } };
      const refusal = { code: 'DIMENSION_MISMATCH', message: expect.stringMatching(/index_of-tests.*8.*5/) };
      await expect(store.put(ours, spec, [text('r', 'fine'), wrong])).rejects.toMatchObject(refusal);
      await expect(store.put(ours, { ...spec, dimension: 5 }, [wrong])).rejects.toMatchObject(refusal);
      const five = { vector: new Float32Array(5).fill(0.5), text: 'one', legs: ['paragraph' as const] };
      await expect(store.candidates(ours, spec.name, five, 5)).rejects.toMatchObject(refusal);
      await expect(store.complete(ours, spec.name, five, ['p'])).rejects.toMatchObject(refusal);
      expect([...(await store.revisions(ours, spec)).keys()]).toEqual(['p']);
    });

    it('does nothing, without error, for what is not there', async () => {
      await store.remove(ours, spec, ['nowhere']);
      await store.put(ours, spec, []);
      await store.optimize(ours, spec);
      await store.drop(ours, spec);
      expect(await store.revisions(ours, spec)).toEqual(new Map());
    });
  });
};
