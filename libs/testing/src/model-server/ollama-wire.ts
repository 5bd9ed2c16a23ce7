import { z } from 'zod';
import { bearer, parsedOrText, pieces, type Reply, type Way, type WireFormat } from './wire-format.js';

const Request = z.object({
  model: z.string(),
  messages: z.array(z.object({ role: z.string(), content: z.string() })).optional(),
  prompt: z.string().optional(),
  system: z.string().optional(),
  stream: z.boolean().default(true),
  format: z.union([z.string(), z.record(z.string(), z.unknown())]).optional(),
  tools: z.array(z.object({ function: z.object({ name: z.string() }) })).default([]),
  options: z.object({ num_ctx: z.number().optional() }).optional(),
});

/** Ollama's /api/chat, and its /api/generate, whose prompt is the instructions and the user's message. */
export const ollama: WireFormat = {
  paths: /^\/api\/(chat|generate)$/,
  contentType: { whole: 'application/json', streamed: 'application/x-ndjson' },
  keyOf: bearer,
  read: (request) => {
    const { model, messages, prompt, system, stream, format, tools, options } = Request.parse(request);
    const byFormat: Way = format === 'json' ? 'json_object' : 'json_schema';
    // The user's message is what asks for something, and the line of JSON after it.
    const paragraphs = (prompt ?? '').split('\n\n');
    return {
      ...{ model, stream, window: options?.num_ctx, tool: tools[0]?.function.name ?? '' },
      system:
        messages?.find(({ role }) => role === 'system')?.content ?? system ?? paragraphs.slice(0, -2).join('\n\n'),
      user: messages?.findLast(({ role }) => role === 'user')?.content ?? paragraphs.slice(-2).join('\n\n'),
      way: tools.length > 0 ? 'tools' : format ? byFormat : 'text',
    };
  },
  whole: (reply) => JSON.stringify({ ...part(reply, reply.text), ...last(reply) }),
  streamed: (reply) => {
    const parts = reply.call.way === 'tools' ? [reply.text] : pieces(reply.text);
    return [
      ...parts.map((text) => ({ ...part(reply, text), done: false })),
      { ...part(reply, ''), ...last(reply) },
    ].map((line) => `${JSON.stringify(line)}\n`);
  },
  error: (status, error) => ({ status, body: { error } }),
};

const part = ({ request, call }: Reply, text: string) => {
  const head = { model: call.model, created_at: '2026-01-01T00:00:00Z' };
  if (request.messages === undefined) return { ...head, response: text };
  if (call.way !== 'tools' || text === '') return { ...head, message: { role: 'assistant', content: text } };
  const called = { function: { name: call.tool, arguments: parsedOrText(text) } };
  return { ...head, message: { role: 'assistant', content: '', tool_calls: [called] } };
};

const last = ({ tokens, end }: Reply) => ({
  done: true,
  done_reason: end === 'cut' ? 'length' : 'stop',
  ...{ total_duration: 1, load_duration: 1, prompt_eval_count: tokens.input, prompt_eval_duration: 1 },
  ...{ eval_count: tokens.output, eval_duration: 1 },
});
