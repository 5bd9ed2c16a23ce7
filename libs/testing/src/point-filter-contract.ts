import { beforeEach, describe, expect, it } from 'vitest';
import type { PointPayload, SearchFilter } from '@postmaster/contracts';
import { completed, found, leaning, ours, type Points, spec, text } from './point-fixtures.js';

const documents: Record<string, Partial<PointPayload>> = {
  handbook: {
    document: 'd1',
    collection: 'hr',
    sourceType: 'upload',
    contentType: 'application/pdf',
    language: 'en',
    title: "The Staff's Handbook, Part 2",
    createdAt: '2024-03-01T00:00:00.000Z',
    addedAt: '2026-01-10T12:00:00.000Z',
    metadata: { team: "people's", year: 2024, public: true, nested: { a: 1 } },
  },
  mail: {
    document: 'd2',
    collection: null,
    sourceType: 'mail',
    contentType: 'message/rfc822',
    language: null,
    title: 'Staff party',
    createdAt: null,
    addedAt: '2026-02-10T12:00:00.000Z',
    metadata: { team: 'people', year: '2024' },
  },
  page: {
    document: "d'3",
    collection: 'web',
    sourceType: 'url',
    contentType: 'text/html',
    language: 'da',
    title: 'Årsmødet: dagsorden',
    createdAt: '2024-03-02T00:00:00.000Z',
    addedAt: '2026-03-10T12:00:00.000Z',
    metadata: {},
  },
};

const cases: [what: string, filter: SearchFilter, expected: string[]][] = [
  ['lets everything through when it is empty', {}, ['handbook', 'mail', 'page']],
  ['goes by document', { documents: ['d1', "d'3"] }, ['handbook', 'page']],
  ['goes by collection', { collections: ['hr', 'none'] }, ['handbook']],
  ['goes by source type', { sourceTypes: ['mail', 'url'] }, ['mail', 'page']],
  ['goes by content type', { contentTypes: ['text/html'] }, ['page']],
  ['goes by language', { languages: ['da', 'de'] }, ['page']],
  ['lets nothing through for an empty list', { languages: [] }, []],
  ['takes a date from inclusive', { createdFrom: '2024-03-02T00:00:00Z' }, ['page']],
  ['takes a date to exclusive', { createdTo: '2024-03-02T00:00:00.000Z' }, ['handbook']],
  ['reads a date with another zone', { createdFrom: '2024-03-02T01:00:00+01:00' }, ['page']],
  ['reads a day as its midnight', { createdFrom: '2024-03-01', createdTo: '2024-03-02' }, ['handbook']],
  ['goes by when it was added', { addedFrom: '2026-02-01T00:00:00Z', addedTo: '2026-03-01T00:00:00Z' }, ['mail']],
  ['goes by a word of the title in any case', { titleWords: ['STAFF'] }, ['handbook', 'mail']],
  ['wants every word of the title', { titleWords: ['staff', 'handbook,'] }, ['handbook']],
  ['wants whole words of the title', { titleWords: ['hand'] }, []],
  ['reads title words of other languages', { titleWords: ['årsmødet'] }, ['page']],
  ['lets nothing through for a title word without a letter', { titleWords: ['—'] }, []],
  ['goes by a text of the metadata', { metadata: [{ key: 'team', value: "people's" }] }, ['handbook']],
  ['tells a number of the metadata from its text', { metadata: [{ key: 'year', value: 2024 }] }, ['handbook']],
  ['tells a text of the metadata from its number', { metadata: [{ key: 'year', value: '2024' }] }, ['mail']],
  ['goes by a truth of the metadata', { metadata: [{ key: 'public', value: true }] }, ['handbook']],
  [
    'wants all of the metadata',
    {
      metadata: [
        { key: 'year', value: 2024 },
        { key: 'team', value: 'people' },
      ],
    },
    [],
  ],
  ['takes no quote for its own', { metadata: [{ key: "a' OR '1'='1", value: "x' OR true --" }] }, []],
  [
    'wants every condition at once',
    {
      documents: ['d1', 'd2'],
      collections: ['hr'],
      sourceTypes: ['upload'],
      contentTypes: ['application/pdf'],
      languages: ['en'],
      createdFrom: '2024-01-01',
      createdTo: '2025-01-01',
      addedFrom: '2026-01-01',
      addedTo: '2026-02-01',
      titleWords: ['handbook'],
      metadata: [{ key: 'public', value: true }],
    },
    ['handbook'],
  ],
];

/** What every candidate store makes of a filter, on every leg. */
export const pointFilterContract = (name: string, make: () => Promise<Points>): void => {
  describe(`${name}: a filter`, () => {
    let store: Points;
    beforeEach(async () => {
      store = await make();
      const vectors = { paragraph: leaning(0.5), simple_questions: [leaning(0.7), leaning(0.1)], scope: leaning(0.3) };
      const patches = Object.entries(documents).map(([id, payload]) => ({
        ...text(id, 'some words', payload),
        vectors,
      }));
      await store.put(ours, spec, patches);
    });

    it.each(cases)('%s', async (_, filter, expected) => {
      for (const leg of ['paragraph', 'simple_questions', 'lexical'] as const)
        expect(await found(store, { filter, text: 'words', legs: [leg] })).toEqual(expected);
      const points = await completed(store, Object.keys(documents), { filter });
      expect([...points.keys()].sort()).toEqual(expected);
    });

    it('changes no score', async () => {
      const filter = { documents: ['d1'] };
      const filtered = await completed(store, ['handbook'], { text: 'words', filter });
      expect(filtered).toEqual(await completed(store, ['handbook'], { text: 'words' }));
    });

    it('is refused for what is no date, with its field', async () => {
      const wrong = found(store, { filter: { createdFrom: 'last week' } });
      await expect(wrong).rejects.toMatchObject({ code: 'FILTER_INVALID', field: 'createdFrom' });
    });
  });
};
