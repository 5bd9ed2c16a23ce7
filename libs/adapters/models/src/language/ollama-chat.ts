import type { AIMessage, AIMessageChunk } from '@langchain/core/messages';
import type { ChatOllamaCallOptions, Ollama } from '@langchain/ollama';
import {
  type ChatPrompt,
  type ChatServer,
  type ChatServerSettings,
  messages,
  nameOf,
  type ReplyForm,
  type Way,
  WAYS,
} from './chat-server.js';
import { asModelFailure, ModelFailure } from './model-failure.js';
import { ollamaWindow } from './ollama-window.js';
import { connection } from './server-address.js';

const OLLAMA = 'http://127.0.0.1:11434';
const TEMPERATURE = 0.2; // its own default makes small models drift from the paragraph
/** What a model without a chat template, or a server without /api/chat, answers. */
const NO_CHAT = /does not support chat|no chat template|answered 404: 404 page not found|answered 405/i;

/** Read where a model is asked, and by no start without one. */
const clients = () => import('@langchain/ollama');

/**
 * An Ollama server's /api/chat; its /api/generate where the address ends so, or the model turns out to have no chat. A
 * key, which a proxy in front of it may want, goes as a bearer token. The window is always asked for, for otherwise the
 * server takes a small one and cuts what is longer without a word.
 */
export const ollamaChat = ({ url = OLLAMA, model, apiKey, fetch: through, windowTokens }: ChatServerSettings): ChatServer => {
  const address = new URL(url);
  const [, path, named] = /^(.*?)(?:\/api\/(chat|generate))?\/?$/.exec(address.pathname) ?? [];
  address.pathname = path || '/';
  const { base, headers, secret } = connection(address, apiKey);
  const name = nameOf({ id: `ollama:${model}`, address: base });
  const window = ollamaWindow({ base, model, headers, windowTokens });
  let speaks = named ?? 'chat';

  const settings = async (fetch: typeof globalThis.fetch) => ({
    ...{ model, baseUrl: base, temperature: TEMPERATURE, maxRetries: 0, fetch, headers },
    numCtx: await window(fetch),
  });
  const chat = async (fetch: typeof globalThis.fetch) => {
    const { ChatOllama } = await clients();
    return new ChatOllama(await settings(fetch));
  };

  /** In /api/generate's way from when /api/chat is refused. */
  const spoken = async <T>(byChat: () => Promise<T>, byGenerate: () => Promise<T>): Promise<T> => {
    if (speaks === 'generate') return byGenerate();
    try {
      return await byChat();
    } catch (error) {
      if (named || !NO_CHAT.test(asModelFailure(error, name).message)) throw error;
      const reply = await byGenerate();
      speaks = 'generate';
      return reply;
    }
  };

  const generated = async (prompt: ChatPrompt, format: unknown, fetch: typeof globalThis.fetch) => {
    const { Ollama } = await clients();
    const model = new Ollama({ ...(await settings(fetch)), think: false });
    // A schema is taken by the server, though the library's type names 'json' alone.
    if (format !== undefined) Object.assign(model, { format });
    return pieces(model, `${prompt.system}\n\n${prompt.user}`);
  };

  return {
    id: `ollama:${model}`,
    address: base,
    secret,
    fetch: through,
    ways: WAYS,
    window,
    ask: (prompt, way, form, fetch) =>
      spoken<AIMessage>(
        async () => (await chat(fetch)).invoke(messages(prompt), formed(way, form)),
        async () => {
          if (way === 'tool') throw new ModelFailure('unable', `${name} calls no tools in /api/generate.`);
          let reply: AIMessageChunk | undefined;
          for await (const piece of await generated(prompt, formed(way, form).format, fetch))
            reply = reply ? reply.concat(piece) : piece;
          return reply ?? new (await import('@langchain/core/messages')).AIMessageChunk('');
        },
      ),
    stream: (prompt, fetch) =>
      spoken<AsyncIterable<AIMessageChunk>>(
        async () => begun(await (await chat(fetch)).stream(messages(prompt))),
        async () => begun(await generated(prompt, undefined, fetch)),
      ),
  };
};

/** A completion as messages, its usage with the last of them. */
async function* pieces(model: Ollama, prompt: string): AsyncGenerator<AIMessageChunk> {
  const { AIMessageChunk } = await import('@langchain/core/messages');
  for await (const { text, generationInfo: said } of model._streamResponseChunks(prompt, {})) {
    const [input, output] = [Number(said?.prompt_eval_count ?? 0), Number(said?.eval_count ?? 0)];
    const usage = { input_tokens: input, output_tokens: output, total_tokens: input + output };
    yield new AIMessageChunk({ content: text, ...(input + output > 0 && { usage_metadata: usage }) });
  }
}

/** The stream with its first piece there, so that a refusal is thrown at once. */
const begun = async (stream: AsyncIterable<AIMessageChunk>): Promise<AsyncIterable<AIMessageChunk>> => {
  const pieces = stream[Symbol.asyncIterator]();
  const first = await pieces.next();
  return (async function* () {
    try {
      for (let next = first; !next.done; next = await pieces.next()) yield next.value;
    } finally {
      await pieces.return?.();
    }
  })();
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
