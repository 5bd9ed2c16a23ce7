import type { ChatAnthropicCallOptions } from '@langchain/anthropic';
import {
  type ChatPrompt,
  type ChatServer,
  type ChatServerSettings,
  NO_LIMIT_MS,
  type ReplyForm,
  type Way,
} from './chat-server.js';
import { connection } from './server-address.js';

const ANTHROPIC = 'https://api.anthropic.com';
/** The API wants a limit; every model of it takes this one. */
const MOST_REPLIED = 4_096;

/** Anthropic's /v1/messages. The instructions are placed for its prompt cache: they are the same from call to call. */
export const anthropicChat = ({
  url = ANTHROPIC,
  model,
  apiKey,
  fetch: through,
  windowTokens,
}: ChatServerSettings): ChatServer => {
  const address = new URL(url);
  if (address.pathname.replace(/\/$/, '') === '/v1') address.pathname = '/'; // the client says it itself
  const { base, secret, basic } = connection(address, apiKey);
  const chat = async (fetch: typeof globalThis.fetch) => {
    const { ChatAnthropic } = await import('@langchain/anthropic'); // read where a model is asked, and by no start without one
    return new ChatAnthropic({
      model,
      apiKey: apiKey ?? 'none', // the environment's own key is for another server
      anthropicApiUrl: base,
      maxTokens: MOST_REPLIED,
      maxRetries: 0,
      clientOptions: {
        authToken: null, // likewise
        timeout: NO_LIMIT_MS,
        ...{ fetch, defaultHeaders: basic ? { authorization: basic } : {} },
      },
    });
  };
  return {
    id: `anthropic:${model}`,
    address: base,
    secret,
    fetch: through,
    ways: ['schema', 'tool', 'text'],
    window: async (fetch) => windowTokens ?? (await chat(fetch)).profile.maxInputTokens,
    ask: async (prompt, way, form, fetch) => (await chat(fetch)).invoke(await cached(prompt), formed(way, form)),
    stream: async (prompt, fetch) => (await chat(fetch)).stream(await cached(prompt)),
  };
};

const cached = async ({ system, user }: ChatPrompt) => {
  const { HumanMessage, SystemMessage } = await import('@langchain/core/messages');
  const instructions = { type: 'text', text: system, cache_control: { type: 'ephemeral' } };
  return [new SystemMessage({ content: [instructions] }), new HumanMessage(user)];
};

const formed = (way: Way, { name, schema }: ReplyForm): Partial<ChatAnthropicCallOptions> => {
  switch (way) {
    case 'schema':
      return { outputConfig: { format: { type: 'json_schema', schema } } };
    case 'tool':
      return {
        tools: [{ name, input_schema: { ...schema, type: 'object' } }],
        tool_choice: { type: 'tool', name },
      };
    case 'json':
    case 'text':
      return {};
  }
};
