import { describe, expect, it } from 'vitest';
import { startEmbeddingServer } from '@postmaster/testing';
import { encoderFromConfig } from './encoder-from-config.js';

describe('the encoder that the configuration names', () => {
  it('is the bundled one where none is named', async () => {
    const encoder = await encoderFromConfig({ ENCODER_THREADS: 1 });
    expect(encoder).toMatchObject({ id: 'minilm:all-minilm-l6-v2-int8-1', dimension: 384, maxTokens: 256 });
    await encoder.close();
  });

  it('is the service that is named, tried once', async () => {
    const server = await startEmbeddingServer();
    for (const [provider, path] of [
      ['openai', '/v1'],
      ['ollama', ''],
    ] as const) {
      const encoder = await encoderFromConfig({
        ENCODER_PROVIDER: provider,
        ENCODER_URL: server.url + path,
        ENCODER_MODEL: 'stand-in',
        ENCODER_MAX_TOKENS: 100,
      });
      expect(encoder).toMatchObject({ id: `${provider}:stand-in`, dimension: 32, maxTokens: 100 });
      await encoder.close();
    }
    expect(server.calls).toHaveLength(2);
    await server.close();
  });

  it('needs an address and a model where a service is named', async () => {
    await expect(encoderFromConfig({ ENCODER_PROVIDER: 'openai' })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining('ENCODER_URL and ENCODER_MODEL'),
    });
  });

  it('takes no password in an address, and does not repeat it', async () => {
    const config = { ENCODER_PROVIDER: 'openai', ENCODER_URL: 'http://me:hush@127.0.0.1', ENCODER_MODEL: 'm' } as const;
    const error: unknown = await encoderFromConfig(config).catch((refusal: unknown) => refusal);
    expect(error).toMatchObject({ code: 'CONFIG_INVALID' });
    expect(String(error)).not.toContain('hush');
  });
});
