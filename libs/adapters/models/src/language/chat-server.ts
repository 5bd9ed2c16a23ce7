import type { AIMessage, AIMessageChunk } from '@langchain/core/messages';

export interface ChatPrompt {
  system: string;
  user: string;
}

/** Ways to hold a model to a form, best first. Not every server knows each of them. */
export const WAYS = ['schema', 'tool', 'json', 'text'] as const;
export type Way = (typeof WAYS)[number];

export interface ReplyForm {
  name: string;
  /** A JSON Schema of an object. */
  schema: Record<string, unknown>;
}

/** A server of chat models behind LangChain, which retries nothing here. All of a call's requests go through `fetch`. */
export interface ChatServer {
  /** "openai:gpt-4o-mini" */
  readonly id: string;
  /** Without credentials. */
  readonly address: string;
  readonly secret?: string;
  /** What requests go through; `patientFetch` unless told. */
  readonly fetch?: typeof globalThis.fetch;
  /** Those that its protocol has, best first. */
  readonly ways: readonly Way[];
  /** Tokens of a prompt and its reply together; undefined where nobody knows. Asks the server at most once an hour. */
  window(fetch: typeof globalThis.fetch): Promise<number | undefined>;
  ask(prompt: ChatPrompt, way: Way, form: ReplyForm, fetch: typeof globalThis.fetch): Promise<AIMessage>;
  stream(prompt: ChatPrompt, fetch: typeof globalThis.fetch): Promise<AsyncIterable<AIMessageChunk>>;
}

export interface ChatServerSettings {
  url?: string;
  model: string;
  apiKey?: string;
  /** Where addresses are guarded; `patientFetch` unless told. */
  fetch?: typeof globalThis.fetch;
  /** Tokens of a prompt and its reply together; what is known of the model unless told. */
  windowTokens?: number;
}

/** LangChain's form of a prompt. */
export const messages = ({ system, user }: ChatPrompt): [string, string][] => [
  ['system', system],
  ['human', user],
];

/** For the clients' own limits, which ours is to come before: 24 hours. */
export const NO_LIMIT_MS = 86_400_000;

/** The model and where it runs, for messages to people. */
export const nameOf = ({ id, address }: Pick<ChatServer, 'id' | 'address'>): string => `The language model ${id} at ${address}`;
