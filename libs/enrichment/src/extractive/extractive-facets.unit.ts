import { describe, expect, it } from 'vitest';
import { Facets } from '@postmaster/contracts';
import type { FacetInput } from '../facet-model.js';
import { extractiveFacets } from './extractive-facets.js';

const input: FacetInput = {
  title: 'Travel policy',
  trail: ['Travel policy', 'Hotels'],
  before: 'Flights are booked by the Aarhus office.',
  text: 'Hotels cost at most 1,200 kr. a night. Breakfast is paid by the company. Receipts are sent to Finance within a month.',
  after: 'Trains are preferred.',
  language: 'en',
};
const facetsOf = async (change: Partial<FacetInput> = {}) =>
  (await extractiveFacets().makeFacets({ ...input, ...change })).facets;

describe('extractiveFacets', () => {
  it('is marked as what it is, costs nothing and asks for no estimate', async () => {
    const model = extractiveFacets();
    const reply = await model.makeFacets(input);
    expect(Facets.parse(reply.facets)).toMatchObject({
      model: 'extractive',
      promptVersion: model.promptVersion,
      quality: null,
    });
    expect(reply.usage).toEqual({ inputTokens: 0, outputTokens: 0 });
    expect(model.remote).toBe(false);
  });

  it('says the same twice', async () => expect(await facetsOf()).toEqual(await facetsOf()));

  it('calls its sentences statements, behind the title and the nearest heading', async () => {
    expect((await facetsOf()).simpleQuestions).toEqual([
      { text: 'Travel policy › Hotels: Hotels cost at most 1,200 kr. a night.', kind: 'statement' },
      { text: 'Travel policy › Hotels: Breakfast is paid by the company.', kind: 'statement' },
      { text: 'Travel policy › Hotels: Receipts are sent to Finance within a month.', kind: 'statement' },
    ]);
  });

  it('covers the whole paragraph with its statements, simple and complex', async () => {
    const { simpleQuestions, complexQuestions } = await facetsOf({ title: '', trail: [] });
    for (const list of [simpleQuestions, complexQuestions])
      expect(list.map(({ text }) => text).join(' ')).toBe(input.text);
  });

  it('keeps a heading that is a question as one', async () => {
    const { simpleQuestions } = await facetsOf({ trail: ['FAQ', 'Hvem betaler hotellet?'] });
    expect(simpleQuestions[0]).toEqual({ text: 'Hvem betaler hotellet?', kind: 'question' });
  });

  it('says each heading of its place once, and where the passage begins', async () => {
    expect((await facetsOf()).context).toBe('Travel policy › Hotels. Hotels cost at most 1,200 kr. a night.');
  });

  it('takes no word from the neighbours', async () => {
    expect(JSON.stringify(await facetsOf())).not.toMatch(/Aarhus|Trains/);
  });

  it('gives a single word its facets too', async () => {
    const facets = await facetsOf({ title: '', trail: [], text: 'Velkommen' });
    expect(facets.simpleQuestions).toEqual([{ text: 'Velkommen', kind: 'statement' }]);
    expect(facets.context).toBe('Velkommen');
  });
});
