import { z } from 'zod';
import { parsedOrText, pieces, type Reply, WireRefusal, type Way, type WireFormat } from './wire-format.js';

const Text = z.union([
  z.string(),
  z.array(z.object({ text: z.string(), cache_control: z.object({ type: z.literal('ephemeral') }).optional() })),
]);

const Request = z.strictObject({
  model: z.string(),
  max_tokens: z.number().int().positive(),
  system: Text.optional(),
  messages: z.array(z.object({ role: z.enum(['user', 'assistant']), content: Text })).min(1),
  stream: z.boolean().default(false),
  temperature: z.number().optional(),
  tools: z
    .array(z.object({ name: z.string(), input_schema: z.looseObject({ type: z.literal('object') }) }))
    .default([]),
  tool_choice: z.object({ type: z.string(), name: z.string().optional() }).optional(),
  output_config: z.object({ format: z.object({ type: z.literal('json_schema'), schema: z.unknown() }) }).optional(),
});

/** Anthropic's /v1/messages. What is marked for its cache counts as read from there. */
export const anthropic: WireFormat = {
  paths: /^\/v1\/messages$/,
  contentType: { whole: 'application/json', streamed: 'text/event-stream' },
  keyOf: ({ 'x-api-key': key }) => (typeof key === 'string' ? key : undefined),
  read: (request, _path, headers) => {
    if (!headers['anthropic-version']) throw new WireRefusal(400, 'anthropic-version: header is required');
    const { model, system = '', messages, stream, tools, output_config: output } = Request.parse(request);
    const way: Way = tools.length > 0 ? 'tools' : output ? 'json_schema' : 'text';
    const user = messages.findLast(({ role }) => role === 'user');
    return {
      model,
      stream,
      way,
      tool: tools[0]?.name ?? '',
      system: textOf(system),
      user: textOf(user?.content ?? ''),
    };
  },
  whole: (reply) =>
    JSON.stringify({
      ...{ id: 'msg_stand_in', type: 'message', role: 'assistant', model: reply.call.model },
      content: content(reply),
      ...{ stop_reason: stop(reply), stop_sequence: null, usage: usage(reply) },
    }),
  streamed: (reply) => {
    const start = { id: 'msg_stand_in', type: 'message', role: 'assistant', model: reply.call.model, content: [] };
    const before = { ...usage(reply), output_tokens: 1 };
    return [
      { type: 'message_start', message: { ...start, stop_reason: null, stop_sequence: null, usage: before } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'ping' },
      ...pieces(reply.text).map((text) => ({
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'text_delta', text },
      })),
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: stop(reply), stop_sequence: null },
        usage: { output_tokens: reply.tokens.output },
      },
      { type: 'message_stop' },
    ].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  },
  error: (status, message) => ({
    status,
    body: { type: 'error', error: { type: TYPES[status] ?? 'api_error', message }, request_id: 'req_stand_in' },
  }),
};

const TYPES: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

const textOf = (content: z.output<typeof Text>): string =>
  typeof content === 'string' ? content : content.map(({ text }) => text).join('');

const content = ({ call, text, end }: Reply) => {
  if (end === 'declined') return [];
  if (call.way !== 'tools') return [{ type: 'text', text }];
  const input = parsedOrText(text);
  return [{ type: 'tool_use', id: 'toolu_stand_in', name: call.tool, input: typeof input === 'object' ? input : {} }];
};

const stop = ({ end, call }: Reply): string => {
  if (end === 'whole') return call.way === 'tools' ? 'tool_use' : 'end_turn';
  return end === 'cut' ? 'max_tokens' : 'refusal';
};

/** Its `input_tokens` are those that are neither read from the cache nor written to it. */
const usage = ({ request, tokens: { input, output, cached } }: Reply) => {
  const { system } = Request.parse(request);
  const isMarked = Array.isArray(system) && system.some((block) => block.cache_control);
  return {
    input_tokens: isMarked ? input - cached : input,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: isMarked ? cached : 0,
    output_tokens: output,
  };
};
