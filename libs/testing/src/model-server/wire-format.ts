import type { IncomingHttpHeaders } from 'node:http';

/** How the reply's form was asked for: by schema, as a call of a tool, as any JSON, or not at all. */
export type Way = 'json_schema' | 'tools' | 'json_object' | 'text';

/** A call as all dialects have it. */
export interface ChatCall {
  model: string;
  /** The instructions, which are not the user's. */
  system: string;
  /** The user's message. */
  user: string;
  way: Way;
  /** Of the tool that is to be called. */
  tool: string;
  stream: boolean;
  /** Tokens that the model reads before it forgets the first ones, where the call says so. */
  window?: number;
}

export interface Reply {
  call: ChatCall;
  /** As the request's JSON says it. */
  request: Record<string, unknown>;
  text: string;
  tokens: { input: number; output: number; cached: number };
  /** Why it ends: it is whole, its limit of tokens was reached, or the model would not. */
  end: 'whole' | 'cut' | 'declined';
}

/** How one provider's API is spoken: paths, keys, requests, replies whole and in pieces, errors. */
export interface WireFormat {
  /** Where it takes chat calls. */
  paths: RegExp;
  contentType: { whole: string; streamed: string };
  /** The key of a request, in the header that this provider's goes in. */
  keyOf(headers: IncomingHttpHeaders): string | undefined;
  /** Throws what the real server would not take in a request: a ZodError, a WireRefusal. */
  read(request: Record<string, unknown>, path: string, headers: IncomingHttpHeaders): ChatCall;
  whole(reply: Reply): string;
  streamed(reply: Reply): string[];
  error(status: number, message: string): { status: number; body: unknown };
}

/** What the real server would not take, with the words it says so in. */
export class WireRefusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

const LONG = 10_000;

/** Words; of a long text a thousand characters each. */
export const pieces = (text: string): string[] =>
  text.match(text.length > LONG ? /[^]{1,1000}/gu : /\s*\S+\s*/gu) ?? [text];

export const bearer = ({ authorization }: IncomingHttpHeaders): string | undefined =>
  /^Bearer (.*)$/.exec(authorization ?? '')?.[1];

/** The object that a tool is called with; the text as it is where it is none. */
export const parsedOrText = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};
