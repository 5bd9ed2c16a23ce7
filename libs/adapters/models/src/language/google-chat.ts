import type { ChatGoogle } from '@langchain/google';
import { type ChatServer, type ChatServerSettings, messages, type ReplyForm, type Way, WAYS } from './chat-server.js';
import { connection } from './server-address.js';

const GOOGLE = 'https://generativelanguage.googleapis.com';

/** Google's Gemini API, or what speaks it. An address may end in its version, /v1beta. */
export const googleChat = ({
  url = GOOGLE,
  model,
  apiKey,
  fetch: through,
  windowTokens,
}: ChatServerSettings): ChatServer => {
  const address = new URL(url);
  address.pathname = address.pathname.replace(/\/v1(beta)?\/?$/, '/'); // the client says it itself
  const { base, secret, basic } = connection(address, apiKey);
  const headers = { ...(apiKey && { 'x-goog-api-key': apiKey }), ...(basic && { authorization: basic }) };
  const chat = async (fetch: typeof globalThis.fetch) => {
    const client = await import('@langchain/google'); // read where a model is asked, and by no start without one
    return new client.ChatGoogle({
      model,
      platformType: 'gai',
      maxRetries: 0,
      apiClient: {
        hasApiKey: () => true, // the environment's own key is for another server
        getProjectId: async () => '',
        fetch: async (request) => {
          const { pathname, search } = new URL(request.url); // of Google's own host, whatever is asked for
          const { method, signal } = request;
          const body = await request.text();
          const said = { ...Object.fromEntries(request.headers), ...headers };
          return fetch(`${base}${pathname}${search}`, { method, signal, body, headers: said });
        },
      },
    });
  };
  return {
    id: `google:${model}`,
    address: base,
    secret,
    fetch: through,
    ways: WAYS,
    window: async (fetch) => windowTokens ?? (await chat(fetch)).profile.maxInputTokens,
    ask: async (prompt, way, form, fetch) => (await chat(fetch)).invoke(messages(prompt), formed(way, form)),
    stream: async (prompt, fetch) => (await chat(fetch)).stream(messages(prompt)),
  };
};

type Formed = NonNullable<Parameters<ChatGoogle['invoke']>[1]>;

const formed = (way: Way, { name, schema }: ReplyForm): Formed => {
  switch (way) {
    case 'schema':
      return { responseSchema: schema };
    case 'tool':
      return { tools: [{ type: 'function', function: { name, parameters: schema } }], tool_choice: name };
    case 'json':
      return { responseSchema: { type: 'object' } }; // any JSON: the client has no other way to say so
    case 'text':
      return {};
  }
};
