import { describe, expect, it } from 'vitest';
import { startEmbeddingServer } from '@postmaster/testing';
import { ENCODER_SERVICE } from '../model-service.js';
import { postOnce } from './post-once.js';

describe('one call to an encoder', () => {
  it('ends when its time is over', async () => {
    const server = await startEmbeddingServer({ fault: { kind: 'hang' } });
    const endpoint = { service: ENCODER_SERVICE, url: `${server.url}/api/embed` };
    const body = JSON.stringify({ model: 'stand-in', input: ['text'] });
    await expect(postOnce(endpoint, body, 50, new AbortController().signal)).rejects.toMatchObject({
      code: 'ENCODER_UNREACHABLE',
      message: expect.stringContaining('did not answer within 0.05 s'),
    });
    await server.close();
  });
});
