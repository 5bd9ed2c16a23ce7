import { describe, expect, it } from 'vitest';
import { type PointPayload, TenantId } from '@postmaster/contracts';
import { FakeCandidateStore, pointPayload, seeded } from '@postmaster/testing';
import { hitParagraph } from './explain-hit.js';
import { joinNeighbours, type Numbered, type Passage, passagesOf } from './join-neighbours.js';

const tenant = TenantId.parse('t1');
const paragraph = (id: string, position: number, given: Partial<PointPayload> = {}) =>
  hitParagraph({ id, payload: pointPayload({ text: `Text of ${id}.`, position, ...given }) });
const numbered = (...paragraphs: Numbered['paragraph'][]): Numbered[] =>
  paragraphs.map((one, i) => ({ marker: i + 1, paragraph: one }));
const shown = (passages: readonly Passage[]) =>
  passages.map((passage) => passage.map(({ marker, paragraph: { id } }) => `${marker} ${id}`));

describe('the sources of an answer', () => {
  const store = new FakeCandidateStore();
  const put = (id: string, position: number, given: Partial<PointPayload> = {}) => {
    store.put(tenant, { id, payload: pointPayload({ text: `Text of ${id}.`, position, ...given }), vectors: {} });
    return paragraph(id, position, given);
  };
  const four = put('four', 4);
  put('five', 5);
  const six = put('six', 6);
  put('seven', 7, { trail: ['Another heading'] });
  put('old-three', 3, { version: 0 });
  put('three', 3);
  put('far', 1);
  const alone = put('alone', 4, { document: 'd2' });

  it('are read with what stands next to them, each under its own number', async () => {
    const passages = await joinNeighbours(store, tenant, 'main', numbered(six, alone, four));
    expect(shown(passages)).toEqual([['4 three', '3 four', '5 five', '1 six'], ['2 alone']]);
  });

  it("get nothing of another tenant's", async () => {
    expect(shown(await joinNeighbours(store, TenantId.parse('t2'), 'main', numbered(six)))).toEqual([['1 six']]);
  });

  it('are read in one call, and the neighbours of the best eight alone', async () => {
    store.calls.length = 0;
    const many = Array.from({ length: 20 }, (_, at) => put(`m${at}`, 10 * at, { document: 'd3' }));
    for (let at = 0; at < 20; at++) put(`n${at}`, 10 * at + 1, { document: 'd3' });
    const passages = await joinNeighbours(store, tenant, 'main', numbered(...many));
    expect(passages.filter(({ length }) => length === 2)).toHaveLength(8);
    expect(store.calls).toEqual(['read']);
  });

  it('form the same passages in whatever order they come, each paragraph in one of them', () => {
    const random = seeded(3);
    for (let round = 0; round < 50; round++) {
      const places = new Set(Array.from({ length: 12 }, () => Math.floor(random() * 20)));
      const sources = numbered(...[...places].map((at) => paragraph(`p${at}`, at % 10, { document: `d${at % 2}` })));
      const passages = passagesOf(sources);
      expect(passagesOf([...sources].sort(() => random() - 0.5))).toEqual(passages);
      expect(
        passages
          .flat()
          .map(({ marker }) => marker)
          .sort((a, b) => a - b),
      ).toEqual(sources.map((one) => one.marker));
      for (const passage of passages)
        passage.slice(1).forEach((one, i) => expect(one.paragraph.position).toBe(passage[i]!.paragraph.position + 1));
    }
  });
});
