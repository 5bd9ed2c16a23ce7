import { describe, expect, it } from 'vitest';
import { distinctTexts, pointOf, textsOf } from './evaluation-points.js';

const paragraph = {
  ...{ id: 'p', document: 'd', title: 'T', position: 2, text: 'Text.' },
  facets: { simpleQuestions: ['A?', 'B?'], complexQuestions: ['C?'], context: 'Context.', scope: '' },
};
const bare = { ...paragraph, facets: { simpleQuestions: [], complexQuestions: [], context: '', scope: '' } };

describe('the points of an evaluation', () => {
  it('hold what each rival searches', () => {
    expect(textsOf('composite', paragraph)).toMatchObject({ text: 'Text.', ...paragraph.facets });
    expect(textsOf('plain', paragraph)).toMatchObject({ text: 'Text.', simpleQuestions: [], context: '' });
    expect(textsOf('contextual', paragraph)).toMatchObject({ text: 'Context.\nText.', context: '' });
    expect(textsOf('joined', paragraph)).toMatchObject({ simpleQuestions: ['A?\nB?'], complexQuestions: ['C?'] });
    expect([textsOf('contextual', bare).text, textsOf('joined', bare).simpleQuestions]).toEqual(['Text.', []]);
  });

  it('have each text encoded once, however many points hold it', () => {
    const texts = distinctTexts(['composite', 'plain', 'contextual', 'joined'], [paragraph, { ...bare, id: 'q' }]);
    expect(texts.sort()).toEqual(['A?', 'A?\nB?', 'B?', 'C?', 'Context.', 'Context.\nText.', 'Text.']);
  });

  it('are active, and have no vector for a text that is empty', () => {
    const point = pointOf('composite', paragraph, (text) => Float32Array.of(text.length), '2026-01-01T00:00:00.000Z');
    expect(point.payload).toMatchObject({ active: true, position: 2, simpleQuestions: ['A?', 'B?'] });
    expect(point.vectors).toMatchObject({ paragraph: Float32Array.of(5), context: Float32Array.of(8), scope: null });
    expect(point.vectors?.simple_questions).toHaveLength(2);
  });
});
