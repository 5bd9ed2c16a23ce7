import { describe, expect, it } from 'vitest';
import { pointPayload, seeded } from '@postmaster/testing';
import { arrangeHits, foldLikely } from './arrange-hits.js';
import { diversify } from './diversify.js';

const HEAT = ['The boiler heats the house', 'The boiler heats the whole house', 'A boiler that heats houses'];
const items = [
  { id: 'heat1', text: HEAT[0]!, score: 1 },
  { id: 'heat2', text: HEAT[1]!, score: 0.95 },
  { id: 'heat3', text: HEAT[2]!, score: 0.9 },
  { id: 'roof', text: 'Tiles cover the roof of the house', score: 0.6 },
  { id: 'garden', text: 'Apple trees stand in the garden', score: 0.3 },
];
const order = (diversity: number, most = 5) => diversify(items, (item) => item, diversity, most).map(({ id }) => id);

describe('diversity', () => {
  it('of 0 changes nothing', () => expect(order(0)).toEqual(items.map(({ id }) => id)));

  it('brings what differs forward, the best staying first', () => {
    expect(order(0.5).slice(0, 2)).toEqual(['heat1', 'roof']);
    expect(order(1).slice(0, 2)).toEqual(['heat1', 'garden']);
  });

  it('moves nothing behind the number asked for', () => {
    expect(order(0.5, 2)).toEqual(['heat1', 'roof', 'heat2', 'heat3', 'garden']);
  });

  it('follows its formula, worked by hand', () => {
    const two = [
      { text: 'boiler valve', score: 0.9 },
      { text: 'boiler valve', score: 0.8 },
      { text: 'garden apple', score: 0.1 },
    ];
    // at .4 the copy is worth .6 × .8 − .4 × 1 = .08, the other .6 × .1 − .4 × 0 = .06; at .5 it is −.1 against .05
    expect(diversify(two, (one) => one, 0.4, 3).map(({ score }) => score)).toEqual([0.9, 0.8, 0.1]);
    expect(diversify(two, (one) => one, 0.5, 3).map(({ score }) => score)).toEqual([0.9, 0.1, 0.8]);
  });

  it('keeps every item once and the best first, whatever the texts', () => {
    const random = seeded(13);
    for (let round = 0; round < 50; round++) {
      const some = Array.from({ length: 15 }, (_, at) => ({
        text: Array.from({ length: 6 }, () => 'abcdefgh'[Math.floor(random() * 8)]!.repeat(5)).join(' '),
        score: 1 - at / 15,
      }));
      const ordered = diversify(some, (one) => one, random(), 10);
      expect(new Set(ordered)).toEqual(new Set(some));
      expect(ordered).toHaveLength(15);
      expect(ordered[0]).toBe(some[0]);
    }
  });
});

describe('hits by document', () => {
  const hit = (id: string, document: string, score: number) => ({
    candidate: { id, payload: pointPayload({ text: `Text of ${id}`, document }), scores: {}, matched: {} },
    score,
  });
  const hits = [
    hit('a1', 'a', 1),
    hit('b1', 'b', 0.9),
    hit('a2', 'a', 0.8),
    hit('c1', 'c', 0.7),
    hit('a3', 'a', 0.6),
    hit('b2', 'b', 0.5),
  ];
  const arranged = (first: number, options: Parameters<typeof arrangeHits>[2]) =>
    arrangeHits(foldLikely(hits, first, options), first, options).map(([{ candidate }]) => candidate.id);

  it('stand document by document, each with its best few', () => {
    expect(arranged(2, { groupBy: 'document', perGroup: 2 })).toEqual(['a1', 'a2', 'b1', 'b2']);
    expect(arranged(5, { groupBy: 'document', perGroup: 1 })).toEqual(['a1', 'b1', 'c1']);
    expect(arranged(1, { groupBy: 'document' })).toEqual(['a1', 'a2', 'a3']);
  });

  it('stand by score where they are not grouped', () => expect(arranged(3, {})).toEqual(['a1', 'b1', 'a2']));
});
