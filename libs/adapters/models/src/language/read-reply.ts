import type { AIMessage } from '@langchain/core/messages';
import { parseJsonMarkdown } from '@langchain/core/output_parsers';
import type { z } from 'zod';
import { ModelFailure } from './model-failure.js';

/**
 * The object in a model's reply, by the schema: the arguments of its call if it made one, else its text, also where
 * prose or a code fence stands around it. A reply that was cut off at the token limit is malformed, not repaired.
 */
export const readReply = <S extends z.ZodType>(reply: AIMessage, schema: S, server: string): z.output<S> => {
  const metadata = reply.response_metadata;
  if (metadata.finish_reason === 'length' || metadata.done_reason === 'length')
    throw new ModelFailure('malformed', `${server} broke off its reply at its token limit.`, {
      next: 'Raise the context or output length of the model, or use another one.',
    });
  const read = schema.safeParse(reply.tool_calls?.[0]?.args ?? objectIn(reply.text));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const at = issue?.path.join('.');
  throw new ModelFailure('malformed', `${server} replied in another form: ${at ? `${at}: ` : ''}${issue?.message}.`);
};

const objectIn = (text: string): unknown => {
  const body = text.replace(/<think>.*?<\/think>/su, '');
  const outer = body.slice(body.indexOf('{'), body.lastIndexOf('}') + 1);
  for (const read of [() => JSON.parse(outer), () => parseJsonMarkdown(body)])
    try {
      return read();
    } catch {
      continue;
    }
  return undefined;
};
