import { beforeEach, describe, expect, it } from 'vitest';
import { leg, ours, type Points, spec, text } from './point-fixtures.js';

/** How every vector store that is more than a fake finds words. */
export const pointWordsContract = (name: string, make: () => Promise<Points>): void => {
  describe(`${name}, asked for words`, () => {
    let store: Points;
    const ids = async (words: string) => (await leg(store, 'lexical', { text: words })).map(([id]) => id);
    beforeEach(async () => {
      store = await make();
      await store.put(ours, spec, [
        text('da', 'Skatteforvaltningens regler om børnehaverne', { language: 'da' }),
        text('en', 'The invoices INV-2024-0031 and INV-2024-0013, paid by anna@example.com', { language: 'en' }),
        text('mixed', 'Invoice 0031 of 2024 (INV): se bilag', { language: null }),
      ]);
      await store.optimize(ours, spec);
    });

    it.each([
      ['en børnehave', ['da']],
      ['forvaltning', ['da']],
      ['regel', []],
      ['invoicing', ['mixed', 'en']],
      ['INV-2024-0031', ['en', 'mixed']],
      ['inv-2024-0013', ['en', 'mixed']],
      ['anna@example.com', ['en']],
      ['Hvem betalte INV-2024-0031?', ['en', 'mixed']],
    ])('finds by "%s" %j, the best first', async (words, expected) => {
      expect(await ids(words)).toEqual(expected);
    });

    it('counts words of a text that is not kept, like those of one that is, and tells it to nobody', async () => {
      const words = 'Whoever paid INV-2024-0077 wrote to the harbour, and the harbour wrote back';
      await store.put(ours, spec, [
        { ...text('read', '', { reference: true }), words },
        text('kept', words),
        text('other', 'Whoever wrote nothing'),
      ]);
      await store.put(ours, spec, [{ id: 'read', revision: 2, payload: { page: 3 } }]); // leaves its words as they were
      await store.optimize(ours, spec);
      const scores = new Map(await leg(store, 'lexical', { text: 'the harbours and inv-2024-0077' }));
      expect(scores.get('read')).toBeCloseTo(scores.get('kept') ?? 0, 3);
      const [read] = await store.read(ours, spec.name, { ids: ['read'] }, 1);
      expect(read?.payload).toMatchObject({ text: '', page: 3, reference: true });
    });

    it('puts the word itself before other forms of it', async () => {
      await store.put(ours, spec, [text('one', 'an invoice or two'), text('many', 'two invoices or one')]);
      await store.optimize(ours, spec);
      expect((await ids('invoice')).indexOf('one')).toBeLessThan((await ids('invoice')).indexOf('many'));
      expect((await ids('invoices')).indexOf('many')).toBeLessThan((await ids('invoices')).indexOf('one'));
    });
  });
};
