import type { AIMessage } from '@langchain/core/messages';
import type { z } from 'zod';
import { ModelFailure } from './model-failure.js';
import { jsonObjects } from './repair-json.js';

/**
 * The object in a model's reply that the schema takes: the arguments of its call if it made one, else of its text, also
 * where prose or a code fence stands around it or its end is missing. Refused as malformed: a reply without such an
 * object, and one that was cut off at the token limit, of which nothing is believed. As declined: one that the provider
 * says the model would not give.
 */
export const readReply = <S extends z.ZodType>(reply: AIMessage, schema: S, server: string): z.output<S> => {
  const end = endOf(reply);
  if (end === 'declined') throw declined(server);
  if (end === 'cut')
    throw new ModelFailure('malformed', `${server} broke off its reply at its token limit.`, {
      next: 'Raise the context or output length of the model, or use another one.',
    });
  let first: z.core.$ZodIssue | undefined;
  for (const object of objectsIn(reply)) {
    const read = schema.safeParse(object);
    if (read.success) return read.data;
    first ??= read.error.issues[0];
  }
  const at = first?.path.join('.');
  const why = first ? `${at ? `${at}: ` : ''}${first.message}` : 'it holds no JSON object';
  throw new ModelFailure('malformed', `${server} replied in another form: ${why}.`);
};

function* objectsIn({ tool_calls: calls, invalid_tool_calls: broken, text }: AIMessage): Generator<unknown> {
  if (calls?.[0]) yield calls[0].args;
  for (const said of [broken?.[0]?.args ?? '', text]) yield* jsonObjects(said.replace(/<think>.*?<\/think>/su, ''));
}

export const declined = (server: string): ModelFailure =>
  new ModelFailure('declined', `${server} declines to write about this text.`);

const CUT = /^(length|max_tokens|model_context_window_exceeded)$/i;
const DECLINED = /^(content_filter|refusal|safety|prohibited_content|blocklist|spii|recitation)$/i;

/** How a reply ended, in whatever words its provider says it. */
export const endOf = (reply: Pick<AIMessage, 'response_metadata' | 'additional_kwargs'>): 'whole' | 'cut' | 'declined' => {
  const said: Record<string, unknown> = { ...reply.additional_kwargs, ...reply.response_metadata };
  const reasons = ['finish_reason', 'finishReason', 'stop_reason', 'done_reason'].map((name) => String(said[name] ?? ''));
  if (said.refusal || reasons.some((reason) => DECLINED.test(reason))) return 'declined';
  return reasons.some((reason) => CUT.test(reason)) ? 'cut' : 'whole';
};
