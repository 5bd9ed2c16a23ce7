import { expect, it } from 'vitest';
import { TenantId } from '@postmaster/contracts';
import type { Candidate, Probe } from './candidate-store.js';
import { gatherCandidates } from './gather-candidates.js';

/** A candidate as a store may give it, whose payload would have to be read. */
const unread = (id: string): Candidate => ({
  id,
  get payload(): never {
    throw new Error(`The payload of ${id} was read.`);
  },
  scores: {},
  matched: {},
});

it('tells paragraphs from summaries by the lists that they were found in, and reads no payload', async () => {
  const lists = { paragraph: { paragraph: ['a', 'b'] }, summary: { paragraph: ['s'], lexical: ['s', 't'] } };
  const gather = gatherCandidates({
    store: {
      candidates: async (_tenant, _index, { kind = 'paragraph' }) =>
        Object.fromEntries(Object.entries(lists[kind]).map(([leg, ids]) => [leg, ids.map((id) => ({ id, score: 1 }))])),
      complete: async (_tenant, _index, _probe, ids) => ids.map(unread),
      read: async () => [],
    },
    now: () => 0,
  });
  const probe = { vector: new Float32Array(2), text: 'x', legs: ['paragraph', 'lexical'] } satisfies Probe;
  const found = await gather(TenantId.parse('ours'), 'i', probe, 50, ['named'], true);
  expect(found.candidates.map(({ id }) => id)).toEqual(['a', 'b', 'named']);
  expect(found.summaries.map(({ id }) => id)).toEqual(['s', 't']);
});
