import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '@postmaster/testing';
import { modelsAt } from './models-from-config.js';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
beforeEach(() => {
  Object.assign(server.behaviour, { fault: undefined, metadata: undefined, refused: [] });
  server.forget();
});
afterAll(() => server.close());

const document = {
  ...{ title: 'Faktura', contentType: 'text/plain', language: 'da', createdAt: null, found: {} },
  text: 'Faktura 1042 fra Nordkajens Bageri. I alt 250,00 kr.',
};
const read = () =>
  modelsAt('openai', { url: `${server.url}/v1`, model: 'm' }).metadata.readMetadata(document, new AbortController().signal);

describe('the metadata of a document from a chat model', () => {
  it('are quotes, held to the form of the reply, with what they cost', async () => {
    const quoted = { name: 'amount', quote: '250,00 kr.', choice: '' };
    server.behaviour.metadata = () => ({
      ...{ type: 'invoice', type_quote: 'Faktura' },
      fields: [quoted, { name: 'made up', quote: '1042', choice: '' }],
    });
    const { reply, usage } = await read();
    expect(reply).toEqual({ type: 'invoice', type_quote: 'Faktura', fields: [quoted] });
    expect(usage.inputTokens).toBeGreaterThan(0);
    expect(server.calls).toMatchObject([{ way: 'json_schema', asked: { kind: 'metadata', text: document.text } }]);
  });

  it('are refused in another form, and missing where nobody answers', async () => {
    server.behaviour.metadata = () => ({ type: 'invoice' });
    await expect(read()).rejects.toMatchObject({ code: 'MODEL_MALFORMED' });
    server.behaviour.fault = { kind: 'status', status: 401 };
    await expect(read()).rejects.toMatchObject({ code: 'MODEL_REFUSED' });
  });
});
