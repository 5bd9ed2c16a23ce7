import { describe, expect, it } from 'vitest';
import { FACET_REPLIES_SCHEMA, FACET_REPLY_SCHEMA, facetRepliesText, FacetReplyText } from './facet-reply.js';

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

describe('a reply about several paragraphs', () => {
  const read = (count: number, ...entries: unknown[]) => facetRepliesText(count).safeParse({ entries }).data;

  it('is read by the numbers, whatever their order', () => {
    const [one, two] = [
      { ...reply, number: 1 },
      { ...reply, number: 2, context: 'Another.' },
    ];
    expect(read(2, two, one)?.map((each) => each?.context)).toEqual([reply.context, 'Another.']);
  });

  it.each([
    ['is missing', []],
    [
      'is there twice',
      [
        { ...reply, number: 2 },
        { ...reply, number: 2 },
      ],
    ],
    ['has another form', [{ ...reply, number: 2, scope: 7 }]],
    ['has no number', [reply]],
  ])('counts for the others where one %s', (_, rest) => {
    expect(read(2, { ...reply, number: 1 }, ...rest)?.map(Boolean)).toEqual([true, false]);
  });

  it('is refused where it has none of them, or is no list', () => {
    expect(read(2, { ...reply, number: 3 })).toBeUndefined();
    expect(facetRepliesText(1).safeParse(reply).success).toBe(false);
    expect(FACET_REPLIES_SCHEMA).toMatchObject({ required: ['entries'], additionalProperties: false });
  });
});
