import { afterAll, beforeAll } from 'vitest';
import { type EmbeddingServer, startEmbeddingServer } from '@postmaster/testing';
import { encoderContract } from '@postmaster/testing/suites';
import { ollamaEncoder } from './ollama-encoder.js';
import { openAiEncoder } from './openai-encoder.js';

let server: EmbeddingServer;
let older: EmbeddingServer;
beforeAll(async () => {
  older = await startEmbeddingServer({ older: true });
  server = await startEmbeddingServer({ latencyMs: 5, shuffled: true });
});
afterAll(() => Promise.all([server.close(), older.close()]));

encoderContract('An OpenAI-compatible service', () => openAiEncoder({ url: `${server.url}/v1`, model: 'stand-in' }));
encoderContract('Ollama', () => ollamaEncoder({ url: server.url, model: 'stand-in' }));
encoderContract('An older Ollama', () => ollamaEncoder({ url: older.url, model: 'stand-in' }));
encoderContract('A model with prefixes', () => ollamaEncoder({ url: server.url, model: 'nomic-embed-text' }));
