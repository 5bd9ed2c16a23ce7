import { describe, expect, it } from 'vitest';
import { sameModel } from './same-model.js';

describe('the name of a model', () => {
  it.each([
    ['bge-m3', 'openai:bge-m3'],
    ['openai:bge-m3', 'openai:bge-m3'],
    ['BAAI/bge-m3', 'openai:bge-m3'],
    ['intfloat/multilingual-e5-small', 'openai:intfloat/multilingual-e5-small+e5'],
    ['llama3.2:3b', 'ollama:llama3.2:3b'],
    ['all-MiniLM-L6-v2', 'minilm:all-minilm-l6-v2-int8-1'],
    ['sentence-transformers/all-MiniLM-L6-v2', 'minilm:all-minilm-l6-v2-int8-1'],
    ['minilm:all-minilm-l6-v2-int8-1', 'minilm:all-minilm-l6-v2-int8-1'],
  ])('"%s" is that of %s', (given, id) => expect(sameModel(given, id)).toBe(true));

  it.each([
    ['bge-m3', 'openai:bge-large'],
    ['ollama:bge-m3', 'openai:bge-m3'],
    ['llama3.2:1b', 'ollama:llama3.2:3b'],
    ['all-MiniLM-L12-v2', 'minilm:all-minilm-l6-v2-int8-1'],
    ['openai:all-minilm-l6-v2', 'minilm:all-minilm-l6-v2-int8-1'],
  ])('"%s" is not that of %s', (given, id) => expect(sameModel(given, id)).toBe(false));
});
