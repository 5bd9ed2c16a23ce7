import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Reranker } from '@postmaster/retrieval';
import { type RerankerServer, type RerankerShape, startRerankerServer } from '@postmaster/testing';
import { httpReranker } from './http-reranker.js';
import { RERANK_PROTOCOLS } from './rerank-protocols.js';

const question = { text: 'Who keeps the keys?', language: 'en' };
const passagesOf = (...texts: string[]) => texts.map((text) => ({ title: 'T', trail: ['H'], text }));
const passages = passagesOf('The harbour freezes.', 'Anna keeps the keys of the harbour.', 'Who knows?');

let server: RerankerServer;
beforeAll(async () => {
  server = await startRerankerServer();
});
beforeEach(() => {
  server.fault = undefined;
  server.forget();
});
afterAll(() => server.close());

const open = (shape: RerankerShape, more: { url?: string; maxTokens?: number; timeoutMs?: number } = {}): Reranker =>
  httpReranker(RERANK_PROTOCOLS[shape], { url: server.url, model: 'm', apiKey: 'hush-hush-key', ...more });
const scoresOf = async (reranker: Reranker, some = passages) =>
  (await reranker.rerank(question, some)).map(({ score }) => score);

describe.each(['cohere', 'jina', 'tei'] as const)('a reranker in the shape of %s', (shape) => {
  it('gives the scores back in the order of the texts, and asks in the shape that is expected', async () => {
    const reranker = open(shape);
    expect(reranker.id).toBe(`${shape}:m`);
    expect(await scoresOf(reranker)).toEqual([0.25, 0.75, 0.25]);
    const settings = {
      cohere: { model: 'm', top_n: 3 },
      jina: { model: 'm', top_n: 3, return_documents: false },
      tei: { raw_scores: false, truncate: true },
    };
    expect(server.calls).toMatchObject([
      { shape, query: question.text, authorization: 'Bearer hush-hush-key', settings: settings[shape] },
    ]);
    expect(server.calls[0]?.texts).toEqual(passages.map(({ text }) => text));
  });

  it.each([
    ['garbage', 'RERANKER_REFUSED'],
    ['wrong-shape', 'RERANKER_MALFORMED'],
    ['too-few', 'RERANKER_MALFORMED'],
    ['duplicate', 'RERANKER_MALFORMED'],
    ['unknown-index', 'RERANKER_MALFORMED'],
    ['no-numbers', 'RERANKER_MALFORMED'],
  ] as const)('takes no %s for an answer', async (kind, code) => {
    server.fault = { kind };
    await expect(scoresOf(open(shape))).rejects.toMatchObject({ code });
  });
});

describe('a reranker behind HTTP', () => {
  it.each([
    ['500', { kind: 'status', status: 500 }],
    ['429', { kind: 'status', status: 429, retryAfterSeconds: 0 }],
    ['a broken connection', { kind: 'cut' }],
  ] as const)('is asked once more after %s, and then it is unreachable', async (_, fault) => {
    server.failNext(1, fault);
    expect(await scoresOf(open('jina'))).toHaveLength(3);
    server.failNext(2, fault);
    await expect(scoresOf(open('jina'))).rejects.toMatchObject({ code: 'RERANKER_UNREACHABLE' });
    expect(server.calls).toHaveLength(4);
  });

  it('is not asked again when it refuses, and its key is in no message', async () => {
    server.fault = { kind: 'status', status: 401, message: 'wrong key hush-hush-key' };
    const error: unknown = await scoresOf(open('cohere')).catch((refusal: unknown) => refusal);
    expect(error).toMatchObject({ code: 'RERANKER_REFUSED', message: expect.stringContaining('status 401') });
    expect(String(error)).not.toContain('hush');
    expect(server.calls).toHaveLength(1);
  });

  it('is left when it says to wait for long', async () => {
    server.fault = { kind: 'status', status: 429, retryAfterSeconds: 60 };
    await expect(scoresOf(open('tei'))).rejects.toMatchObject({ code: 'RERANKER_UNREACHABLE', retryAfter: 60 });
    expect(server.calls).toHaveLength(1);
  });

  it('ends its request with the signal, and with its own time limit', async () => {
    server.fault = { kind: 'hang' };
    const end = new AbortController();
    const asked = open('cohere').rerank(question, passages, end.signal);
    while (server.calls.length === 0) await new Promise((next) => setTimeout(next, 5));
    end.abort(new Error('late'));
    await expect(asked).rejects.toThrow('late');
    while (!server.calls[0]?.gone) await new Promise((next) => setTimeout(next, 5));
    await expect(scoresOf(open('cohere', { timeoutMs: 20 }))).rejects.toMatchObject({ code: 'RERANKER_UNREACHABLE' });
  });

  it('ends what is open when it is closed, and takes nothing more', async () => {
    server.fault = { kind: 'hang' };
    const reranker = open('tei');
    const asked = expect(reranker.rerank(question, passages)).rejects.toMatchObject({ code: 'RERANKER_UNREACHABLE' });
    await reranker.close();
    await asked;
    await expect(scoresOf(reranker)).rejects.toMatchObject({ code: 'RERANKER_UNREACHABLE' });
  });

  it('reads a long passage in windows, of which the best counts', async () => {
    const filler = 'Nothing of it stands in these lines. '.repeat(40);
    const long = `${filler}Anna keeps the keys. ${filler}`;
    const scores = await scoresOf(open('jina', { maxTokens: 64 }), passagesOf('Who?', long, 'The end.'));
    expect(scores).toEqual([0.25, 0.75, 0.25]);
    expect(server.calls[0]!.texts.length).toBeGreaterThan(10);
    expect(server.calls[0]!.texts.slice(1, -1).join(' ').replace(/\s+/gu, ' ')).toBe(long.trim());
  });

  it('gets no more texts in a call than it takes', async () => {
    const texts = Array.from({ length: 70 }, (_, i) => (i === 69 ? 'who keeps the keys' : `text ${i}`));
    expect((await scoresOf(open('tei'), passagesOf(...texts)))[69]).toBe(1);
    expect(server.calls.map((call) => call.texts.length).sort()).toEqual([32, 32, 6]);
  });

  it.each(['', '/', '/v1', '/v1/', '/v1/rerank', '/v2/rerank'])('is found by its address with "%s" at its end', async (end) => {
    expect(await scoresOf(open('jina', { url: server.url + end }))).toHaveLength(3);
  });
});
