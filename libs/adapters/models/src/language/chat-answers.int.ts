import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AnswerModel, NOT_FOUND, type PaidCalls, type Source } from '@postmaster/retrieval';
import { type ModelServer, startModelServer } from '@postmaster/testing';
import { type ChatSettings, modelsAt } from './models-from-config.js';

const LIBRARY = { marker: 1, text: 'The library opens at eight. It closes at six.' };
const sources: Source[] = [
  { title: 'Hours', trail: ['Library'], paragraphs: [LIBRARY, { marker: 3, text: 'It is in the town hall.' }] },
  { title: 'Hours', trail: [], paragraphs: [{ marker: 2, text: 'The pool is closed.' }] },
];

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
beforeEach(() => {
  Object.assign(server.behaviour, { latencyMs: 0, fault: undefined, answer: undefined });
  server.forget();
});
afterAll(() => server.close());

describe.each([
  ['openai', (settings: ChatSettings) => modelsAt('openai', settings).answers],
  ['ollama', (settings: ChatSettings) => modelsAt('ollama', settings).answers],
])('answers from a %s server', (provider, connect) => {
  const model = (settings: Partial<ChatSettings> = {}): AnswerModel =>
    connect({ url: server.url, model: 'stand-in', again: { attempts: 2, malformed: 1, initialDelayMs: 1 }, ...settings });
  const piecesOf = async (settings?: Partial<ChatSettings>, signal?: AbortSignal): Promise<string[]> => {
    const pieces: string[] = [];
    for await (const piece of model(settings).write('When does it open?', sources, 'en', signal)) pieces.push(piece);
    return pieces;
  };

  it('come in pieces, with their citations', async () => {
    const pieces = await piecesOf();
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.join('')).toBe('The library opens at eight. [1]');
    expect(model().id).toBe(`${provider}:stand-in`);
  });

  it('see the question and every source with its number', async () => {
    await piecesOf();
    expect(server.calls[0]?.asked).toEqual({
      kind: 'answer',
      question: 'When does it open?',
      sources: [LIBRARY.text, 'The pool is closed.', 'It is in the town hall.'],
    });
  });

  it('sum sources up in points, a line each', async () => {
    let text = '';
    for await (const piece of connect({ url: server.url, model: 'stand-in' }).summarize(2, sources, 'da')) text += piece;
    expect(text).toBe('- The library opens at eight. [1]\n- The pool is closed. [2]');
    expect(server.calls[0]?.asked).toMatchObject({ kind: 'summary', points: 2 });
  });

  it('pass the marker for "nothing fits" on', async () => {
    server.behaviour.answer = NOT_FOUND;
    expect((await piecesOf()).join('')).toBe(NOT_FOUND);
  });

  it('are asked for again until the first piece has come', async () => {
    server.failNext(2, { kind: 'status', status: 503 });
    expect((await piecesOf()).join('')).toBe('The library opens at eight. [1]');
    expect(server.calls).toHaveLength(3);
  });

  it('are not begun anew once a piece was given', async () => {
    server.failNext(1, { kind: 'cut' });
    const pieces: string[] = [];
    const read = async () => {
      for await (const piece of model().write('When?', sources, 'en')) pieces.push(piece);
    };
    await expect(read()).rejects.toMatchObject({ code: expect.stringMatching(/^MODEL_/) });
    expect(pieces.length).toBeGreaterThan(0);
    expect(server.calls).toHaveLength(1);
  });

  it('are malformed where no text comes at all', async () => {
    server.behaviour.answer = '';
    await expect(piecesOf()).rejects.toMatchObject({ code: 'MODEL_MALFORMED' });
    expect(server.calls).toHaveLength(2);
  });

  it('are unreachable after a silence', async () => {
    server.behaviour.fault = { kind: 'hang' };
    await expect(piecesOf({ timeoutMs: 50 })).rejects.toMatchObject({ code: 'MODEL_UNREACHABLE' });
  });

  it('end with a reader who leaves, or who aborts', async () => {
    server.behaviour.answer = 'word '.repeat(100_000);
    for await (const piece of model().write('When?', sources, 'en')) if (piece) break;
    const reader = new AbortController();
    server.behaviour.fault = { kind: 'hang' };
    const pieces = piecesOf({}, reader.signal);
    setTimeout(() => reader.abort(new Error('enough')), 10);
    await expect(pieces).rejects.toThrow('enough');
    while (server.running > 0) await new Promise((resolve) => setTimeout(resolve, 1));
  });

  it('say once what they took, also to a reader who leaves', async () => {
    const heard: PaidCalls[] = [];
    const read = async (most: number) => {
      const pieces = model().write('When does it open?', sources, 'en', undefined, undefined, (paid) => heard.push(paid));
      for await (const piece of pieces) if (piece && --most === 0) break;
    };
    server.failNext(1, { kind: 'status', status: 503 });
    await read(Infinity);
    const { prompt, system } = server.calls.at(-1)!;
    const about = Math.ceil(prompt.length / 4);
    expect(heard).toMatchObject([{ model: `${provider}:stand-in`, calls: 1, cachedTokens: 0 }]);
    expect(heard[0]!.outputTokens).toBeGreaterThan(5);
    // told to the token where the protocol tells it, else estimated, the instructions counted too
    if (provider === 'ollama') expect(heard[0]!.inputTokens).toBe(about);
    else expect(heard[0]!.inputTokens).toBeGreaterThan((prompt.length + system.length) / 4);
    server.behaviour.answer = 'word '.repeat(100_000);
    await read(100);
    expect(heard).toHaveLength(2);
    expect(heard[1]!.outputTokens).toBeGreaterThanOrEqual(100);
    expect(heard[1]!.outputTokens).toBeLessThan(50_000);
  });
});
