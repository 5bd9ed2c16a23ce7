import { ChatOllama, type ChatOllamaCallOptions } from '@langchain/ollama';
import { type ChatServer, type ChatServerSettings, messages, type ReplyForm, type Way } from './chat-server.js';
import { connection } from './server-address.js';

const OLLAMA = 'http://127.0.0.1:11434';
const TEMPERATURE = 0.2; // its own default makes small models drift from the paragraph

/** An Ollama server's /api/chat. A key, which a proxy in front of it may want, goes as a bearer token. */
export const ollamaChat = ({ url = OLLAMA, model, apiKey, fetch: through }: ChatServerSettings): ChatServer => {
  const { base, headers, secret } = connection(new URL(url), apiKey);
  const chat = (fetch: typeof globalThis.fetch) =>
    new ChatOllama({
      model,
      baseUrl: base,
      temperature: TEMPERATURE,
      maxRetries: 0,
      fetch,
      headers,
    });
  return {
    id: `ollama:${model}`,
    address: base,
    secret,
    fetch: through,
    ask: (prompt, way, form, fetch) => chat(fetch).invoke(messages(prompt), formed(way, form)),
    stream: (prompt, fetch) => chat(fetch).stream(messages(prompt)),
  };
};

const formed = (way: Way, { name, schema }: ReplyForm): Partial<ChatOllamaCallOptions> => {
  switch (way) {
    case 'schema':
      return { format: schema };
    case 'tool':
      return { tools: [{ type: 'function', function: { name, description: '', parameters: schema } }] };
    case 'json':
      return { format: 'json' };
    case 'text':
      return {};
  }
};
