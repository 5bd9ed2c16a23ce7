import { z } from 'zod';
import { bearer, pieces, type Reply, type Way, type WireFormat } from './wire-format.js';

const Request = z.object({
  model: z.string(),
  messages: z.array(z.object({ role: z.string(), content: z.string() })),
  stream: z.boolean().default(false),
  stream_options: z.object({ include_usage: z.boolean() }).optional(),
  response_format: z.object({ type: z.string() }).optional(),
  tools: z.array(z.object({ function: z.object({ name: z.string() }) })).default([]),
});

/** OpenAI's /v1/chat/completions. */
export const openAi: WireFormat = {
  paths: /^\/v1\/chat\/completions$/,
  contentType: { whole: 'application/json', streamed: 'text/event-stream' },
  keyOf: bearer,
  read: (request) => {
    const { model, messages, stream, response_format: format, tools } = Request.parse(request);
    const byFormat: Way = format?.type === 'json_schema' ? 'json_schema' : 'json_object';
    return {
      ...{ model, stream, tool: tools[0]?.function.name ?? '' },
      system: messages.find(({ role }) => role === 'system')?.content ?? '',
      user: messages.findLast(({ role }) => role === 'user')?.content ?? '',
      way: tools.length > 0 ? 'tools' : format ? byFormat : 'text',
    };
  },
  whole: (reply) =>
    JSON.stringify({
      ...{ id: 'chatcmpl-stand-in', object: 'chat.completion', created: 0, model: reply.call.model },
      choices: [{ index: 0, finish_reason: finish(reply), message: message(reply) }],
      usage: usage(reply),
    }),
  streamed: (reply) => {
    const { stream_options: options } = Request.parse(reply.request);
    const head = { id: 'chatcmpl-stand-in', object: 'chat.completion.chunk', created: 0, model: reply.call.model };
    const chunk = (choices: unknown[], used: unknown = null) =>
      `data: ${JSON.stringify({ ...head, choices, usage: used })}\n\n`;
    return [
      ...pieces(reply.text).map((content) =>
        chunk([{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }]),
      ),
      chunk([{ index: 0, delta: {}, finish_reason: finish(reply) }]),
      ...(options?.include_usage ? [chunk([], usage(reply))] : []),
      'data: [DONE]\n\n',
    ];
  },
  error: (status, message) => ({
    status,
    body: { error: { message, type: 'stand_in_error', param: null, code: null } },
  }),
};

const finish = ({ end, call }: Reply): string => {
  if (end === 'whole') return call.way === 'tools' ? 'tool_calls' : 'stop';
  return end === 'cut' ? 'length' : 'content_filter';
};

const message = ({ call, text, end }: Reply) => {
  if (end === 'declined') return { role: 'assistant', content: null, refusal: "I'm sorry, I can't help with that." };
  if (call.way !== 'tools') return { role: 'assistant', content: text, refusal: null };
  const called = { id: 'call_1', type: 'function', function: { name: call.tool, arguments: text } };
  return { role: 'assistant', content: null, refusal: null, tool_calls: [called] };
};

const usage = ({ tokens: { input, output, cached } }: Reply) => ({
  ...{ prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
  prompt_tokens_details: { cached_tokens: cached },
});
