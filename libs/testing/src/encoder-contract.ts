import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Encoder } from '@postmaster/embedding';

/** What every encoder does, whoever computes its vectors. `make` is called once, and once more to be closed. */
export const encoderContract = (name: string, make: () => Promise<Encoder>): void => {
  describe(`${name} as an encoder`, () => {
    let encoder: Encoder;
    beforeAll(async () => {
      encoder = await make();
    });
    afterAll(() => encoder.close());

    it('gives one vector of unit length and its dimension per text', async () => {
      const vectors = await encoder.embed(['A cat sleeps.', 'Rain in the north', '1066'], 'passage');
      expect(vectors).toHaveLength(3);
      for (const vector of vectors) {
        expect(vector).toBeInstanceOf(Float32Array);
        expect(vector).toHaveLength(encoder.dimension);
        expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
      }
    });

    it('keeps the order of the texts', async () => {
      const texts = Array.from({ length: 12 }, (_, i) => `Paragraph ${i} ${'speaks of number '.repeat(i)}`);
      const together = await encoder.embed(texts, 'passage');
      const alone = await Promise.all(texts.map(async (text) => (await encoder.embed([text], 'passage'))[0]));
      expect(together).toEqual(alone);
    });

    it('gives the same text the same bits, whatever runs beside it', async () => {
      const text = 'The harbour freezes in hard winters.';
      const [first] = await encoder.embed([text], 'passage');
      const crowd = Array.from({ length: 20 }, (_, i) => (i === 13 ? text : `${paragraph} ${i}`));
      expect((await encoder.embed(crowd, 'passage'))[13]).toEqual(first);
    });

    it('gives no vectors for no texts', async () => {
      expect(await encoder.embed([], 'passage')).toEqual([]);
    });

    it('refuses a text that is too long, and says by how much', async () => {
      const embedding = encoder.embed(['short', 'word '.repeat(encoder.maxTokens * 2)], 'passage');
      await expect(embedding).rejects.toMatchObject({
        name: 'TextTooLongError',
        facts: { encoder: encoder.id, maxTokens: encoder.maxTokens, tokens: expect.any(Number) },
      });
    });

    it('refuses more texts a call than it takes', async () => {
      const texts = Array.from({ length: encoder.maxTextsPerCall + 1 }, () => 'one too many');
      await expect(encoder.embed(texts, 'passage')).rejects.toMatchObject({ code: 'ENCODER_REFUSED' });
    });

    it('leaves a text that fits whole', async () => {
      for (const text of ['', ' with space around ', paragraph]) expect(await encoder.windows(text)).toEqual([text]);
    });

    it.each([
      ['prose', 'The committee met in Aarhus; nobody, however, had read the report. '.repeat(200)],
      ['one word without a border', 'a1-'.repeat(4_000)],
      ['Chinese', '春天的第一個早晨，河邊沒有人。'.repeat(150)],
      ['emoji and accents', 'Žluťoučký 🦄 kůň\u00a0— “pěl” ďábelské ódy 👩‍👩‍👧.\n'.repeat(90)],
    ])('cuts %s into windows that fit and that together are the text', async (_, text) => {
      const windows = await encoder.windows(text);
      expect(windows.length).toBeGreaterThan(1);
      expect(withoutSpace(windows.join(''))).toBe(withoutSpace(text));
      for (const window of windows) await encoder.embed([window], 'passage');
    });

    it('answers a query that comes after many passages before them', async () => {
      const order: string[] = [];
      const bulk = Array.from({ length: 6 }, (_, call) =>
        encoder.embed(passages(encoder, call), 'passage').then(() => order.push('passages')),
      );
      await encoder.embed(['Where does the cat sleep?'], 'query').then(() => order.push('query'));
      await Promise.all(bulk);
      expect(order.indexOf('query')).toBeLessThan(order.length - 1);
      expect(order.filter((what) => what === 'passages')).toHaveLength(6);
    });

    it('pauses passages while a hold lasts, but not queries', async () => {
      const release = encoder.hold();
      let done = false;
      const passage = encoder.embed([paragraph], 'passage').then(() => (done = true));
      for (let i = 0; i < 5; i++) await encoder.embed([`Question ${i}?`], 'query');
      expect(done).toBe(false);
      release();
      release();
      await passage;
      expect(done).toBe(true);
    });

    it('goes on only when the last of two holds ends', async () => {
      const [first, second] = [encoder.hold(), encoder.hold()];
      let done = false;
      const passage = encoder.embed([paragraph], 'passage').then(() => (done = true));
      first();
      first();
      await encoder.embed(['Is it still held?'], 'query');
      expect(done).toBe(false);
      second();
      await passage;
    });

    it('lets a hold lapse that nobody releases', async () => {
      encoder.hold();
      expect(await encoder.embed([paragraph], 'passage')).toHaveLength(1);
    });

    it('stops for an abort, and works on for others', async () => {
      const abort = new AbortController();
      const aborted = encoder.embed(passages(encoder, 0), 'passage', abort.signal);
      abort.abort(new Error('changed my mind'));
      await expect(aborted).rejects.toThrow('changed my mind');
      await expect(encoder.embed(['too late'], 'query', abort.signal)).rejects.toThrow('changed my mind');
      expect(await encoder.embed(['still here'], 'passage')).toHaveLength(1);
    });

    it('fails what is not done when it is closed, and what comes later', async () => {
      const closing = await make();
      closing.hold(); // so that this passage surely is not done
      const cut = expect(closing.embed([paragraph], 'passage')).rejects.toMatchObject({ code: 'ENCODER_UNREACHABLE' });
      await closing.close();
      await cut;
      await expect(closing.embed(['late'], 'query')).rejects.toMatchObject({ code: 'ENCODER_UNREACHABLE' });
      await closing.close();
    });
  });
};

const paragraph =
  'The old harbour lies north of the town. Herring brought its wealth, and three fires in one century took most of it.';

const passages = (encoder: Encoder, call: number): string[] =>
  Array.from({ length: Math.min(20, encoder.maxTextsPerCall) }, (_, i) => `${paragraph} Call ${call}, text ${i}.`);

const withoutSpace = (text: string): string => text.replace(/\s/gu, '');
