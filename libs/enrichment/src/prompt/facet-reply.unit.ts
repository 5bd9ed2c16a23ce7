import { describe, expect, it } from '@jest/globals';
import { FACET_REPLY_SCHEMA, FacetReplyText } from './facet-reply.js';

const reply = {
  simple_questions: ['Who?', 'When?', 'Where?'],
  complex_questions: ['Why?', 'How?'],
  context: 'A handbook.',
  scope: 'Leave.',
};

describe('FacetReplyText', () => {
  it('trims texts, drops repetitions and what is over any number asked for', () => {
    const endless = Array.from({ length: 10_000 }, (_, at) => `Who ${at}?`);
    expect(FacetReplyText.parse({ ...reply, simple_questions: endless }).simple_questions).toHaveLength(12);
    const read = FacetReplyText.parse({
      ...reply,
      simple_questions: [' Who? ', 'who?', '', 'When?', 'Where?'],
      context: ' A handbook.\n',
    });
    expect(read).toEqual(reply);
  });

  it.each([
    ['no question of a kind', { ...reply, complex_questions: [' '] }],
    ['an empty context', { ...reply, context: ' ' }],
    ['a missing key', { ...reply, scope: undefined }],
    ['questions that are no texts', { ...reply, simple_questions: [{ text: 'Who?' }] }],
    ['endless text', { ...reply, scope: 'x'.repeat(5000) }],
  ])('refuses %s', (_, wrong) => expect(FacetReplyText.safeParse(wrong).success).toBe(false));

  it('asks servers for exactly the keys that it reads', () => {
    expect(FACET_REPLY_SCHEMA).toMatchObject({
      type: 'object',
      required: Object.keys(reply),
      additionalProperties: false,
    });
    expect(FACET_REPLY_SCHEMA).not.toHaveProperty('$schema');
  });
});
