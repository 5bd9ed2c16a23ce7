import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gullibleReply, type Obeyed } from './model-server/gullible-replies.js';
import {
  type Asked,
  facetParagraphs,
  readPrompt,
  standInEntities,
  standInMetadata,
  standInAnswer,
  standInFacets,
  standInFacetsTogether,
  standInDocumentSummary,
  standInGrade,
  standInSummary,
  standInVerdicts,
  standInPlan,
  standInVariations,
} from './model-server/stand-in-replies.js';
import { anthropic } from './model-server/anthropic-wire.js';
import { type FaultyReply, faultyReply } from './model-server/faulty-replies.js';
import { google } from './model-server/google-wire.js';
import { ollama } from './model-server/ollama-wire.js';
import { openAi } from './model-server/open-ai-wire.js';
import { bearer, type ChatCall, type Way, type WireFormat, WireRefusal } from './model-server/wire-format.js';

export type ModelFault =
  | { kind: 'status'; status: number; retryAfterSeconds?: number; message?: string }
  | { kind: FaultyReply }
  | { kind: 'hang' } // never answers
  | { kind: 'cut' }; // closes the connection in the middle of the reply

export interface ModelCall {
  path: string;
  way: Way;
  asked: Asked;
  /** The instructions, which are not the user's. */
  system: string;
  /** The user's message. */
  prompt: string;
  /** Tokens that the model reads before it forgets the first ones, where the call says so. */
  window?: number;
  /** `gone`: the client went away before the reply was sent. */
  outcome: 'pending' | 'answered' | 'failed' | 'gone';
}

/** May be changed while the server runs. */
export interface ModelBehaviour {
  /** Before each reply; the same for every call, however many run at once. */
  latencyMs: number;
  /** How many calls it works on at once, and what becomes of those above: 429, or they wait. As many as come while it is not set. */
  places: { count: number; above: 'refuse' | 'wait' } | undefined;
  /** What every call meets while it is set; `failNext` goes before it. */
  fault: ModelFault | undefined;
  /** Of each call's input, read from the provider's prompt cache. */
  cachedTokens: number;
  /** That Ollama's /api/show tells of a model; it tells nothing while it is not set. */
  contextLength: number | undefined;
  /** Whether Ollama's /api/chat takes the model. */
  chats: boolean;
  /** Ways of structured output that are refused with 400, as servers do that lack them. */
  refused: readonly Way[];
  /** What the user's message has talked it into: it is in every part of that reply. Nothing does while it is not set. */
  obeys: ((prompt: string) => Obeyed | undefined) | undefined;
  /** The text of every answer; made from the first source while it is not set. */
  answer: string | undefined;
  /** The text of every judgement; made of the words that question and paragraph share while it is not set. */
  judgement: string | undefined;
  /** The reply to a request that is to be planned; the request's own words while it is not set. */
  plan: ((request: string) => unknown) | undefined;
  /** The reply to who asks for the metadata of a document of this text; it knows of none while it is not set. */
  metadata: ((text: string) => unknown) | undefined;
  /** The reply to who asks what these paragraphs name; made of their words while it is not set. */
  entities: ((texts: readonly string[]) => unknown) | undefined;
  /** The reply to who asks for a grade; a good one while it is not set. */
  grade: unknown;
}

export interface ModelServer {
  /** "http://127.0.0.1:<port>": Ollama's base; OpenAI's is this with /v1. */
  readonly url: string;
  readonly behaviour: ModelBehaviour;
  /** Every chat call so far, in the order of arrival. */
  readonly calls: readonly ModelCall[];
  /** The paragraph of each facet call that was answered: twice in here is paid twice. */
  readonly paragraphs: readonly string[];
  readonly running: number;
  /** The most calls that ran at once. */
  readonly peak: number;
  failNext(times: number, fault: ModelFault): void;
  /** Forgets the calls and the peak. */
  forget(): void;
  close(): Promise<void>;
}

/**
 * A stand-in for a language model's server, on 127.0.0.1: OpenAI's /v1/chat/completions and /v1/models, Ollama's
 * /api/chat, /api/generate, /api/show and /api/tags, Anthropic's /v1/messages, Google's /v1beta/models/…:generateContent. Its facets are made of the paragraph's words, its answers of the first source, its
 * verdicts of the words that question and paragraph share.
 */
export const startModelServer = async (
  options: Partial<ModelBehaviour> & { port?: number; apiKey?: string } = {},
): Promise<ModelServer> => {
  const behaviour: ModelBehaviour = {
    latencyMs: options.latencyMs ?? 0,
    places: options.places,
    fault: options.fault,
    refused: options.refused ?? [],
    cachedTokens: options.cachedTokens ?? 0,
    contextLength: options.contextLength,
    chats: options.chats ?? true,
    obeys: options.obeys,
    answer: options.answer,
    judgement: options.judgement,
    plan: options.plan,
    metadata: options.metadata,
    entities: options.entities,
    grade: options.grade,
  };
  let calls: ModelCall[] = [];
  let running = 0;
  let peak = 0;
  let working = 0;
  const inLine: (() => void)[] = [];
  const faults: ModelFault[] = [];
  /** False where there is no place and none is waited for. */
  const takePlace = async (): Promise<boolean> => {
    const { count, above } = behaviour.places ?? { count: Infinity, above: 'wait' };
    if (working >= count && above === 'refuse') return false;
    if (working >= count) await new Promise<void>((go) => inLine.push(go));
    else working++;
    return true;
  };
  const leavePlace = (): void => {
    const next = inLine.shift();
    if (next) next();
    else working--;
  };

  const chat = async (path: string, format: WireFormat, request: IncomingMessage, response: ServerResponse) => {
    const body = await readJson(request);
    const said: ChatCall = format.read(body, path, request.headers);
    const call: ModelCall = {
      ...{ path, way: said.way, asked: readPrompt(said.user), window: said.window },
      ...{ system: said.system, prompt: said.user, outcome: 'pending' },
    };
    calls.push(call);
    peak = Math.max(peak, ++running);
    response.on('close', () => {
      running--;
      if (call.outcome === 'pending') call.outcome = 'gone';
    });
    const end = (outcome: ModelCall['outcome'], send: () => void) => {
      if (response.destroyed) return;
      call.outcome = outcome;
      send();
    };
    const refuse = (status: number, message: string, retryAfterSeconds?: number) =>
      end('failed', () => sendError(response, format, status, message, retryAfterSeconds));
    const fault = faults.shift() ?? behaviour.fault;
    if (fault?.kind === 'hang') return;
    if (!(await takePlace())) return refuse(429, 'too many calls at once');
    await new Promise((resolve) => setTimeout(resolve, behaviour.latencyMs));
    leavePlace();
    if (!behaviour.chats && path === '/api/chat') return refuse(400, `"${said.model}" does not support chat`);
    if (behaviour.refused.includes(call.way)) return refuse(400, `${call.way} is not supported`);
    if (fault?.kind === 'status') return refuse(fault.status, fault.message ?? 'told to fail', fault.retryAfterSeconds);
    const whole = { text: obedient(call, behaviour) ?? replyText(call.asked, behaviour), end: 'whole' as const };
    const { text, end: ended } = fault && fault.kind !== 'cut' ? faultyReply(fault.kind, whole.text) : whole;
    const [input, output] = [said.user, text].map((said) => Math.ceil(said.length / 4)) as [number, number]; // of two
    const tokens = { input, output, cached: behaviour.cachedTokens };
    const reply = { call: said, request: body, text, tokens, end: ended };
    const parts = said.stream ? format.streamed(reply) : [format.whole(reply)];
    if (fault?.kind === 'cut') return end('failed', () => sendHalf(response, format, said.stream, parts));
    end(fault ? 'failed' : 'answered', () => {
      response.writeHead(200, { 'content-type': format.contentType[said.stream ? 'streamed' : 'whole'] });
      for (const part of parts) response.write(part);
      response.end();
    });
  };

  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://stand-in').pathname;
    const format = FORMATS.find(({ paths }) => paths.test(path));
    const { keyOf } = format ?? { keyOf: bearer };
    const listed = path === '/api/show' ? shown(behaviour) : LISTS[path];
    if (options.apiKey && keyOf(request.headers) !== options.apiKey)
      sendError(response, format ?? openAi, 401, `the key is wrong: ${keyOf(request.headers)}`);
    else if (listed) sendJson(response, 200, listed);
    else if (format)
      chat(path, format, request, response).catch((error: unknown) => {
        const { status, message } = error instanceof WireRefusal ? error : { status: 400, message: String(error) };
        sendError(response, format, status, message);
      });
    else sendError(response, openAi, 404, 'no such path');
  });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a listening TCP server's address is an object

  return {
    url: `http://127.0.0.1:${port}`,
    behaviour,
    get calls() {
      return calls;
    },
    get paragraphs() {
      return calls.filter(({ outcome }) => outcome === 'answered').flatMap(({ asked }) => facetParagraphs(asked));
    },
    get running() {
      return running;
    },
    get peak() {
      return peak;
    },
    failNext: (times, fault) => void faults.push(...Array.from({ length: times }, () => fault)),
    forget: () => {
      calls = [];
      peak = running;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

const FORMATS: readonly WireFormat[] = [openAi, ollama, anthropic, google];
const LISTS: Record<string, unknown> = {
  '/v1/models': { object: 'list', data: [{ id: 'stand-in', object: 'model', created: 0, owned_by: 'postmaster' }] },
  '/api/tags': { models: [{ name: 'stand-in', model: 'stand-in' }] },
};

/** Of Ollama's /api/show, what tells the window. */
const shown = ({ contextLength }: ModelBehaviour): unknown =>
  contextLength && {
    details: { family: 'llama' },
    model_info: { 'general.architecture': 'llama', 'llama.context_length': contextLength },
  };

const obedient = ({ asked, prompt }: ModelCall, { obeys }: ModelBehaviour): string | undefined => {
  const obeyed = obeys?.(prompt);
  return obeyed && gullibleReply(asked, obeyed);
};

const replyText = (
  asked: Asked,
  { answer, judgement, grade = standInGrade, plan = standInPlan, metadata = standInMetadata, entities }: ModelBehaviour,
): string => {
  switch (asked.kind) {
    case 'facets':
      return JSON.stringify(standInFacets(asked));
    case 'facets-together':
      return JSON.stringify(standInFacetsTogether(asked.title, asked.paragraphs));
    case 'judge':
      return judgement ?? JSON.stringify(standInVerdicts(asked.question, asked.paragraphs));
    case 'grade':
      return JSON.stringify(grade);
    case 'summary':
      return standInSummary(asked.points, asked.sources);
    case 'plan':
      return JSON.stringify(plan(asked.request));
    case 'document-summary':
      return JSON.stringify(standInDocumentSummary(asked.points, asked.text));
    case 'metadata':
      return JSON.stringify(metadata(asked.text));
    case 'entities':
      return JSON.stringify((entities ?? standInEntities)(asked.texts));
    case 'variations':
      return JSON.stringify(standInVariations(asked.request, asked.questions, asked.hypothetical));
    case 'answer':
      return answer ?? standInAnswer(asked.sources);
    case 'other':
      return 'ok';
  }
};

const readJson = async (request: IncomingMessage): Promise<Record<string, unknown>> => {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += String(chunk);
  return JSON.parse(body) as Record<string, unknown>; // an object in every dialect, whose format looks at the rest
};

const sendJson = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) =>
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

const sendError = (
  response: ServerResponse,
  format: WireFormat,
  wanted: number,
  message: string,
  retryAfterSeconds?: number,
) => {
  const { status, body } = format.error(wanted, message);
  sendJson(response, status, body, retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) });
};

const sendHalf = (response: ServerResponse, format: WireFormat, stream: boolean, parts: readonly string[]) => {
  const body = parts.join('');
  response.writeHead(200, {
    'content-type': stream ? format.contentType.streamed : format.contentType.whole,
    ...(stream ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
  });
  response.write(body.slice(0, body.length / 2), () => response.destroy());
};
