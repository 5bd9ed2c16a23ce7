import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '@postmaster/testing';
import { modelsAt } from './models-from-config.js';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

it('documents are summed up by a chat model, held to the form of the reply, with what it cost', async () => {
  const model = modelsAt('openai', { url: `${server.url}/v1`, model: 'm' }).summaries;
  const of = { title: 'Havnen', language: 'da', points: 2 };
  const { reply, usage } = await model.summarizeDocument({ ...of, text: 'Havnen er dyb. Kajen er ny. Den er lang.' });
  expect(reply).toEqual({ points: ['Havnen er dyb.', 'Kajen er ny.'], paragraph: 'Havnen er dyb. Kajen er ny.' });
  expect(usage.inputTokens).toBeGreaterThan(0);
  const joined = await model.summarizeDocument({ ...of, text: [reply, { points: ['Den er lang.'], paragraph: 'Lang.' }] });
  expect(joined.reply.points).toEqual(['Havnen er dyb.', 'Kajen er ny.']);
  expect(server.calls).toMatchObject([{ way: 'json_schema', asked: { kind: 'document-summary' } }, {}]);
  server.behaviour.fault = { kind: 'status', status: 401 };
  await expect(model.summarizeDocument({ ...of, text: 'x' })).rejects.toMatchObject({ code: 'MODEL_REFUSED' });
});
