import type { ChatOpenAICallOptions } from '@langchain/openai';
import { type ChatServer, type ChatServerSettings, messages, NO_LIMIT_MS, type ReplyForm, type Way, WAYS } from './chat-server.js';
import { connection } from './server-address.js';

const OPENAI = 'https://api.openai.com/v1';
const OPENAI_ORIGIN = new URL(OPENAI).origin;

/** Any server that speaks OpenAI's /chat/completions. An address without a path is taken to mean /v1 there. */
export const openAiChat = ({ url = OPENAI, model, apiKey, fetch: through, windowTokens }: ChatServerSettings): ChatServer => {
  const address = new URL(url);
  if (address.pathname === '/') address.pathname = '/v1';
  const { base, headers, secret } = connection(address, apiKey);
  const chat = async (fetch: typeof globalThis.fetch) => {
    const { ChatOpenAI } = await import('@langchain/openai'); // read where a model is asked, and by no start without one
    return new ChatOpenAI({
      model,
      apiKey: apiKey ?? 'none', // the environment's own key is for another server
      maxRetries: 0,
      timeout: NO_LIMIT_MS,
      streamUsage: address.origin === OPENAI_ORIGIN, // refused by servers that don't know it
      useResponsesApi: false,
      configuration: { baseURL: base, defaultHeaders: headers, fetch, organization: null, project: null },
    });
  };
  let windowIs: Promise<number | undefined> | undefined; // of the model's name alone
  return {
    id: `openai:${model}`,
    address: base,
    secret,
    fetch: through,
    ways: WAYS,
    window: async (fetch) => windowTokens ?? (windowIs ??= chat(fetch).then(({ profile }) => profile.maxInputTokens)),
    ask: async (prompt, way, form, fetch) => (await chat(fetch)).invoke(messages(prompt), formed(way, form)),
    stream: async (prompt, fetch) => (await chat(fetch)).stream(messages(prompt)),
  };
};

const formed = (way: Way, { name, schema }: ReplyForm): Partial<ChatOpenAICallOptions> => {
  switch (way) {
    case 'schema':
      return { response_format: unread({ type: 'json_schema', json_schema: { name, schema, strict: true } }) };
    case 'tool':
      return {
        tools: [{ type: 'function', function: { name, parameters: schema } }],
        tool_choice: { type: 'function', function: { name } },
      };
    case 'json':
      return { response_format: { type: 'json_object' } };
    case 'text':
      return {};
  }
};

/** Goes by another type until it is sent: of the true one the client reads the reply itself, and throws where it can be mended. */
const unread = (format: object) => ({ type: 'text' as const, toJSON: () => format });
