import { describe, expect, it } from 'vitest';
import { buildSchema } from 'graphql';
import { answerRequestOf, PROVIDED } from './answer-event.js';
import { readSupergraph } from './federated-graph.js';

describe('an answer over the graph', () => {
  it('turns its arguments into retrieval’s words, and null into absent', () => {
    expect(
      answerRequestOf({
        query: 'Why?',
        first: 3,
        filter: { languages: ['da'], documents: null },
        options: { fusion: 'MIN_MAX', rrfK: 10, minRelevance: null, weights: { simpleQuestions: 2, lexical: null } },
      }),
    ).toEqual({
      query: 'Why?',
      first: 3,
      filter: { languages: ['da'] },
      options: { fusion: 'min-max', k: 10, weights: { simple_questions: 2 } },
    });
  });

  it('provides of a paragraph just what the supergraph says', () => {
    const schema = readSupergraph();
    expect(() => buildSchema(schema, { assumeValidSDL: true })).not.toThrow();
    const [, provides = ''] = /paragraph: Paragraph! @join__field\([^)]*provides: "([^"]+)"/.exec(schema) ?? [];
    expect(new Set(['id', ...provides.split(' ')])).toEqual(new Set(PROVIDED));
  });
});
