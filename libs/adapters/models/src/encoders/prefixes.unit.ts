import { describe, expect, it } from 'vitest';
import { prefixesOf } from './prefixes.js';

describe('the prefixes of a model', () => {
  it.each([
    ['intfloat/multilingual-e5-large', 'e5-1'],
    ['e5-base-v2', 'e5-1'],
    ['nomic-embed-text:v1.5', 'nomic-1'],
    ['BAAI/bge-small-en-v1.5', 'bge-1'],
    ['mxbai-embed-large:latest', 'mxbai-1'],
    ['snowflake-arctic-embed:110m', 'arctic-1'],
    ['snowflake-arctic-embed2', 'arctic-2'],
    ['Snowflake/snowflake-arctic-embed-l-v2.0', 'arctic-2'],
    ['google/embeddinggemma-300m', 'gemma-1'],
    ['Qwen/Qwen3-Embedding-0.6B', 'qwen3-1'],
  ])('are known for %s', (model, name) => {
    expect(prefixesOf(model)?.name).toBe(name);
  });

  it.each(['bge-m3', 'text-embedding-3-small', 'all-minilm', 'multilingual-e5-large-instruct', 'e5-mistral-7b-instruct'])(
    'are none for %s',
    (model) => {
      expect(prefixesOf(model)).toBeUndefined();
    },
  );
});
