import { describe, expect, it } from 'vitest';
import { AIMessage } from '@langchain/core/messages';
import { z } from 'zod';
import { readReply } from './read-reply.js';

const Schema = z.object({ context: z.string(), questions: z.array(z.string()) });
const read = (fields: ConstructorParameters<typeof AIMessage>[0]) => readReply(new AIMessage(fields), Schema, 'The model');
const good = { context: 'a {brace}', questions: ['x'] };
const json = JSON.stringify(good);

describe('readReply', () => {
  it.each([
    ['bare', json],
    ['in a code fence', `\`\`\`json\n${json}\n\`\`\``],
    ['with prose around it', `Sure! Here it is:\n${json}\nAnything else?`],
    ['after thinking aloud', `<think>perhaps {"context": 1}</think>\n${json}`],
  ])('reads JSON %s', (_, content) => expect(read(content)).toEqual(good));

  it('reads the arguments of a call', () => {
    expect(read({ content: '', tool_calls: [{ id: '1', name: 'f', args: good }] })).toEqual(good);
  });

  it.each([
    ['prose', 'I cannot do that.'],
    ['nothing', ''],
    ['another shape', '{"summary":"x"}'],
  ])('calls %s malformed', (_, content) =>
    expect(() => read(content)).toThrow(expect.objectContaining({ code: 'MODEL_MALFORMED' })),
  );

  it.each(['finish_reason', 'done_reason'])('repairs no reply that was cut at the token limit (%s)', (key) =>
    expect(() => read({ content: json, response_metadata: { [key]: 'length' } })).toThrow(
      expect.objectContaining({ code: 'MODEL_MALFORMED', next: expect.stringContaining('context') }),
    ),
  );
});
