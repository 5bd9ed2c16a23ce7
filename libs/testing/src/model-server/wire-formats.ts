/** The parts of a chat request that the stand-in looks at, the same in both dialects. */
export interface ChatRequest {
  model?: string;
  messages?: { role: string; content: unknown }[];
  prompt?: string;
  stream?: boolean;
  format?: unknown;
  response_format?: { type: string };
  stream_options?: { include_usage?: boolean };
  tools?: { function: { name: string } }[];
}

/** How the reply's form was asked for: by schema, as a call of a tool, as any JSON, or not at all. */
export type Way = 'json_schema' | 'tools' | 'json_object' | 'text';

export interface Reply {
  request: ChatRequest;
  way: Way;
  text: string;
  tokens: { input: number; output: number };
}

/** A reply as the lines or the one body that a client of the dialect reads. */
export interface WireFormat {
  contentType: { whole: string; streamed: string };
  whole(reply: Reply): string;
  streamed(reply: Reply): string[];
}

export const wayOf = ({ tools, response_format, format }: ChatRequest): Way => {
  if (tools?.length) return 'tools';
  if (response_format) return response_format.type === 'json_schema' ? 'json_schema' : 'json_object';
  return format === undefined || format === '' ? 'text' : format === 'json' ? 'json_object' : 'json_schema';
};

const pieces = (text: string): string[] => text.match(/\s*\S+\s*/gu) ?? [text];

export const openAi: WireFormat = {
  contentType: { whole: 'application/json', streamed: 'text/event-stream' },
  whole: ({ request, way, text, tokens }) =>
    JSON.stringify({
      id: 'chatcmpl-stand-in',
      object: 'chat.completion',
      created: 0,
      model: request.model,
      choices: [
        {
          index: 0,
          finish_reason: way === 'tools' ? 'tool_calls' : 'stop',
          message: openAiMessage(request, way, text),
        },
      ],
      usage: openAiUsage(tokens),
    }),
  streamed: ({ request, text, tokens }) => {
    const chunk = (choices: unknown[], usage: unknown = null) =>
      `data: ${JSON.stringify({ id: 'chatcmpl-stand-in', object: 'chat.completion.chunk', created: 0, model: request.model, choices, usage })}\n\n`;
    return [
      ...pieces(text).map((content) =>
        chunk([{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }]),
      ),
      chunk([{ index: 0, delta: {}, finish_reason: 'stop' }]),
      ...(request.stream_options?.include_usage ? [chunk([], openAiUsage(tokens))] : []),
      'data: [DONE]\n\n',
    ];
  },
};

const openAiMessage = ({ tools }: ChatRequest, way: Way, text: string) =>
  way === 'tools'
    ? {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: tools?.[0]?.function.name, arguments: text } },
        ],
      }
    : { role: 'assistant', content: text };

const openAiUsage = ({ input, output }: Reply['tokens']) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
});

/** Ollama's /api/chat where the request has messages, its /api/generate where it has a prompt. */
export const ollama: WireFormat = {
  contentType: { whole: 'application/json', streamed: 'application/x-ndjson' },
  whole: (reply) => JSON.stringify({ ...ollamaPart(reply, reply.text), ...ollamaEnd(reply) }),
  streamed: (reply) => {
    const parts = reply.way === 'tools' ? [reply.text] : pieces(reply.text);
    return [
      ...parts.map((text) => ({ ...ollamaPart(reply, text), done: false })),
      { ...ollamaPart(reply, ''), ...ollamaEnd(reply) },
    ].map((line) => `${JSON.stringify(line)}\n`);
  },
};

const ollamaPart = ({ request, way }: Reply, text: string) => {
  const head = { model: request.model, created_at: '2026-01-01T00:00:00Z' };
  if (request.messages === undefined) return { ...head, response: text };
  if (way !== 'tools' || text === '') return { ...head, message: { role: 'assistant', content: text } };
  const call = { function: { name: request.tools?.[0]?.function.name, arguments: parsedOrText(text) } };
  return { ...head, message: { role: 'assistant', content: '', tool_calls: [call] } };
};

const ollamaEnd = ({ tokens }: Reply) => ({
  done: true,
  done_reason: 'stop',
  prompt_eval_count: tokens.input,
  eval_count: tokens.output,
});

const parsedOrText = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};
