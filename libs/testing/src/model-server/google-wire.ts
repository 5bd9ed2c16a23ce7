import { z } from 'zod';
import { parsedOrText, pieces, type Reply, type WireFormat } from './wire-format.js';

const Content = z.object({ role: z.string().optional(), parts: z.array(z.object({ text: z.string() })) });

const Request = z.looseObject({
  contents: z.array(Content).min(1),
  systemInstruction: Content.optional(),
  tools: z
    .array(z.object({ functionDeclarations: z.array(z.object({ name: z.string(), parameters: z.looseObject({}) })) }))
    .optional(),
  generationConfig: z
    .looseObject({ responseMimeType: z.string().optional(), responseJsonSchema: z.looseObject({}).optional() })
    .optional(),
});

const PATH = /^\/v1(?:beta)?\/models\/([^/:]+):(generateContent|streamGenerateContent)$/;

/** Google's Gemini API: /v1beta/models/{model}:generateContent and :streamGenerateContent. */
export const google: WireFormat = {
  paths: PATH,
  contentType: { whole: 'application/json', streamed: 'text/event-stream' },
  keyOf: ({ 'x-goog-api-key': key }) => (typeof key === 'string' ? key : undefined),
  read: (request, path) => {
    const [, model = '', method] = PATH.exec(path) ?? [];
    const { contents, systemInstruction, tools, generationConfig: config } = Request.parse(request);
    const schema = config?.responseJsonSchema;
    const bySchema = schema && 'properties' in schema ? 'json_schema' : 'json_object';
    return {
      ...{ model, stream: method === 'streamGenerateContent' },
      tool: tools?.[0]?.functionDeclarations[0]?.name ?? '',
      system: textOf(systemInstruction),
      user: textOf(contents.findLast(({ role }) => role === 'user')),
      way: tools ? 'tools' : config?.responseMimeType === 'application/json' ? bySchema : 'text',
    };
  },
  whole: (reply) => JSON.stringify(part(reply, reply.text, true)),
  streamed: (reply) => {
    const all = pieces(reply.text);
    return all.map((text, at) => `data: ${JSON.stringify(part(reply, text, at === all.length - 1))}\r\n\r\n`);
  },
  error: (status, message) =>
    status === 401
      ? { status: 400, body: { error: { code: 400, message: `API key not valid. ${message}`, status: STATUS[400] } } }
      : { status, body: { error: { code: status, message, status: STATUS[status] ?? 'INTERNAL' } } },
};

const STATUS: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
};

const textOf = (content: z.output<typeof Content> | undefined): string =>
  content?.parts.map(({ text }) => text).join('') ?? '';

const part = ({ call, text: whole, end, tokens }: Reply, text: string, isLast: boolean) => {
  const head = { modelVersion: call.model, responseId: 'stand-in' };
  if (end === 'declined') return { ...head, promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: {} };
  const said = call.way === 'tools' ? { functionCall: { name: call.tool, args: parsedOrText(whole) } } : { text };
  const finishReason = isLast ? (end === 'cut' ? 'MAX_TOKENS' : 'STOP') : undefined;
  return {
    ...head,
    candidates: [{ index: 0, content: { role: 'model', parts: [said] }, finishReason }],
    usageMetadata: {
      promptTokenCount: tokens.input,
      candidatesTokenCount: tokens.output,
      totalTokenCount: tokens.input + tokens.output,
      cachedContentTokenCount: tokens.cached,
    },
  };
};
