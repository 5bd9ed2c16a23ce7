import { ChatAnthropic, type ChatAnthropicCallOptions } from '@langchain/anthropic';
import { HumanMessage, SystemMessage } from '@langchain/core/messages';
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
  const chat = (fetch: typeof globalThis.fetch) =>
    new ChatAnthropic({
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
  return {
    id: `anthropic:${model}`,
    address: base,
    secret,
    fetch: through,
    ways: ['schema', 'tool', 'text'],
    window: async (fetch) => windowTokens ?? chat(fetch).profile.maxInputTokens,
    ask: (prompt, way, form, fetch) => chat(fetch).invoke(cached(prompt), formed(way, form)),
    stream: (prompt, fetch) => chat(fetch).stream(cached(prompt)),
  };
};

const cached = ({ system, user }: ChatPrompt) => [
  new SystemMessage({ content: [{ type: 'text', text: system, cache_control: { type: 'ephemeral' } }] }),
  new HumanMessage(user),
];

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
