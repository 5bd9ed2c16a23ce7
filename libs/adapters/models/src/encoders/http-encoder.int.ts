import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Encoder } from '@postmaster/embedding';
import { type EmbeddingServer, startEmbeddingServer } from '@postmaster/testing';
import type { HttpEncoderOptions } from './http-encoder.js';
import { ollamaEncoder } from './ollama-encoder.js';
import { openAiEncoder } from './openai-encoder.js';

let server: EmbeddingServer;
let encoder: Encoder;
beforeEach(async () => {
  server = await startEmbeddingServer();
});
afterEach(async () => {
  await encoder?.close();
  await server.close();
});

const openAi = async (options: Partial<HttpEncoderOptions> = {}): Promise<Encoder> =>
  (encoder = await openAiEncoder({ url: `${server.url}/v1/`, model: 'stand-in', ...options }));
const ollama = async (options: Partial<HttpEncoderOptions> = {}): Promise<Encoder> =>
  (encoder = await ollamaEncoder({ url: server.url, model: 'stand-in', ...options }));

describe('an encoder behind HTTP', () => {
  it('finds its dimension by one call, and names itself by service and model', async () => {
    expect(await openAi()).toMatchObject({ id: 'openai:stand-in', dimension: 32 });
    expect(await ollama()).toMatchObject({ id: 'ollama:stand-in', dimension: 32 });
  });

  it('refuses a service whose dimension is not the one that was expected', async () => {
    await expect(openAi({ dimension: 1024 })).rejects.toMatchObject({
      code: 'DIMENSION_MISMATCH',
      message: '"openai:stand-in" should give vectors of 1024 dimensions but gave 32.',
    });
  });

  it('sends the key as a bearer token, and asks for floats and for nothing to be cut', async () => {
    await openAi({ apiKey: 'sk-secret-1' });
    await ollama();
    expect(server.calls.map(({ path, authorization, settings }) => ({ path, authorization, settings }))).toEqual([
      { path: '/v1/embeddings', authorization: 'Bearer sk-secret-1', settings: { encoding_format: 'float' } },
      { path: '/api/embed', authorization: undefined, settings: { truncate: false } },
    ]);
  });

  it('speaks the older way of an Ollama that has no other, a text at a time', async () => {
    server.behaviour.older = true;
    await ollama();
    await encoder.embed(['one', 'two'], 'passage');
    expect(server.calls.map(({ path, texts }) => [path, texts])).toEqual([
      ['/api/embeddings', ['probe']],
      ['/api/embeddings', ['one']],
      ['/api/embeddings', ['two']],
    ]);
  });

  it('reads vectors that come as base64', async () => {
    const [floats] = await (await openAi()).embed(['same'], 'passage');
    server.behaviour.base64 = true;
    const [bytes] = await encoder.embed(['same'], 'passage');
    expect(bytes!.length).toBe(32);
    floats!.forEach((value, i) => expect(bytes![i]).toBeCloseTo(value, 6));
  });

  it('sends the prefixes of a model that it knows, which are part of the id', async () => {
    await ollama({ model: 'nomic-embed-text:latest' });
    await encoder.embed(['where?'], 'query');
    await encoder.embed(['here'], 'passage');
    expect(encoder.id).toBe('ollama:nomic-embed-text:latest+nomic-1');
    expect(server.calls.slice(1).map(({ texts }) => texts)).toEqual([['search_query: where?'], ['search_document: here']]);
  });

  it('sends at most four calls for passages at once, and queries beside them', async () => {
    await openAi();
    server.behaviour.latencyMs = 20;
    const passages = Array.from({ length: 12 }, () => encoder.embed(['a passage'], 'passage'));
    await encoder.embed(['a query'], 'query');
    await Promise.all(passages);
    expect(server.peak).toBe(5);
    expect(server.calls.findIndex(({ texts }) => texts[0] === 'a query')).toBeLessThanOrEqual(5);
  });

  it.each([
    ['503', { kind: 'status', status: 503 }],
    ['429 with a pause', { kind: 'status', status: 429, retryAfterSeconds: 1 }],
    ['a broken connection', { kind: 'cut' }],
  ] as const)('tries again after %s', async (_, fault) => {
    await openAi();
    server.failNext(1, fault);
    expect(await encoder.embed(['text'], 'query')).toHaveLength(1);
    expect(server.calls).toHaveLength(3);
  });

  it('gives up on a service that stays away, as one that may come back', async () => {
    await openAi();
    server.behaviour.fault = { kind: 'status', status: 503 };
    await expect(encoder.embed(['text'], 'query')).rejects.toMatchObject({ code: 'ENCODER_UNREACHABLE' });
  });

  it('does not sit out a long pause that the service asks for, but says how long it is', async () => {
    await openAi();
    server.behaviour.fault = { kind: 'status', status: 429, retryAfterSeconds: 90 };
    const embedding = encoder.embed(['text'], 'passage');
    await expect(embedding).rejects.toMatchObject({ code: 'ENCODER_UNREACHABLE', retryAfter: 90 });
    expect(server.calls).toHaveLength(2);
  });

  it('says that nobody listens', async () => {
    await server.close();
    await expect(openAi()).rejects.toMatchObject({
      code: 'ENCODER_UNREACHABLE',
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it.each([400, 401, 404, 422])('does not try again after %i, and says what the service said', async (status) => {
    await openAi();
    server.behaviour.fault = { kind: 'status', status, message: 'no such model' };
    await expect(encoder.embed(['text'], 'passage')).rejects.toMatchObject({
      code: 'ENCODER_REFUSED',
      message: expect.stringMatching(`status ${status} \\(no such model\\)`),
    });
    expect(server.calls).toHaveLength(2);
  });

  it('takes a status 500 for a refusal where a text was too long for the model', async () => {
    await openAi();
    server.behaviour.fault = { kind: 'status', status: 500, message: 'input is too large to process' };
    await expect(encoder.embed(['text'], 'passage')).rejects.toMatchObject({ code: 'ENCODER_REFUSED' });
    expect(server.calls).toHaveLength(2);
  });

  it('keeps the key out of its errors, though the service repeats it', async () => {
    await openAi({ apiKey: 'sk-secret-1' });
    server.behaviour.fault = { kind: 'status', status: 401, message: 'Incorrect API key provided: sk-secr***t-1' };
    const error: unknown = await encoder.embed(['text'], 'passage').catch((refusal: unknown) => refusal);
    expect(error).toMatchObject({ code: 'ENCODER_REFUSED' });
    expect(JSON.stringify([error, String(error)])).not.toContain('sk-secr');
  });

  it.each([
    ['no JSON', 'garbage', 'should answer with JSON'],
    ['JSON of another form', 'wrong-shape', 'should give 2 vectors of finite numbers but gave an answer of another form'],
    ['a vector too few', 'wrong-count', 'should give 2 vectors of finite numbers but gave 1'],
    ['something else than numbers', 'no-numbers', 'but gave an answer of another form'],
  ] as const)('refuses %s', async (_, kind, message) => {
    for (const connect of [openAi, ollama]) {
      await connect();
      server.failNext(1, { kind });
      await expect(encoder.embed(['one', 'two'], 'passage')).rejects.toMatchObject({
        code: 'ENCODER_REFUSED',
        message: expect.stringContaining(message),
      });
    }
  });

  it('refuses numbers in base64 that are none', async () => {
    await openAi();
    server.behaviour.base64 = true;
    server.failNext(1, { kind: 'no-numbers' });
    await expect(encoder.embed(['text'], 'passage')).rejects.toMatchObject({ code: 'ENCODER_REFUSED' });
  });

  it('refuses vectors of another dimension than before', async () => {
    await ollama();
    server.failNext(1, { kind: 'wrong-dimension' });
    await expect(encoder.embed(['text'], 'passage')).rejects.toMatchObject({
      code: 'DIMENSION_MISMATCH',
      message: '"ollama:stand-in" should give vectors of 32 dimensions but gave 33.',
    });
  });
});
