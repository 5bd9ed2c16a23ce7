import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Reranker } from '@postmaster/retrieval';
import { overlapModel } from '@postmaster/testing';
import { rerankerFromConfig, tryReranker } from './reranker-from-config.js';

const TOKENIZER = fileURLToPath(new URL('../../../../../models/all-minilm-l6-v2/tokenizer.json', import.meta.url));

let root: string;
const folder = async (name: string, model: Uint8Array | undefined, profile?: object): Promise<string> => {
  const path = join(root, name);
  await mkdir(path);
  if (model) await writeFile(join(path, 'model.onnx'), model);
  await copyFile(TOKENIZER, join(path, 'tokenizer.json'));
  if (profile) await writeFile(join(path, 'postmaster.json'), JSON.stringify(profile));
  return path;
};
const open = async (RERANKER_FOLDER: string, more = {}): Promise<Reranker> =>
  (await rerankerFromConfig({ RERANKER_PROVIDER: 'onnx', RERANKER_FOLDER, ...more }))!;

const question = { text: 'Who keeps the keys?', language: 'en' };
const scoresOf = async (reranker: Reranker, ...texts: string[]) =>
  (await reranker.rerank(question, texts.map((text) => ({ title: '', trail: [], text })))).map(({ score }) => score);
const sigmoid = (logit: number): number => 1 / (1 + Math.exp(-logit));

describe('a cross-encoder from a folder', () => {
  let reranker: Reranker;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'postmaster-reranker-'));
    reranker = await open(await folder('overlap', overlapModel()), { RERANKER_MAX_TOKENS: 64, RERANKER_THREADS: 2 });
  });
  afterAll(async () => {
    await reranker.close();
    await rm(root, { recursive: true });
  });

  it('reads question and text as a pair, and gives the sigmoid of its logit', async () => {
    expect(reranker).toMatchObject({ id: 'onnx:overlap', maxTokens: 64 });
    const scores = await scoresOf(reranker, 'Anna keeps the keys', 'The harbour', 'Nothing');
    const frame = 1; // the token that ends both
    expect(scores).toEqual([3, 1, 0].map((shared) => expect.closeTo(sigmoid(shared + frame - 3), 6)));
  });

  it('keeps the order of many texts on several threads', async () => {
    const texts = Array.from({ length: 40 }, (_, i) => (i % 3 === 0 ? 'the keys' : 'a harbour'));
    const scores = await scoresOf(reranker, ...texts);
    expect(scores.map((score) => score > 0.4)).toEqual(texts.map((text) => text === 'the keys'));
  });

  it('reads a long passage in windows, of which the best counts, and shortens only an endless question', async () => {
    const filler = 'lines of another matter '.repeat(60);
    const [short, long] = await scoresOf(reranker, 'Anna keeps the keys', `${filler} Anna keeps the keys ${filler}`);
    expect(long).toBeGreaterThanOrEqual(short!);
    const endless = { text: `${question.text} ${'endless '.repeat(500)}`, language: 'en' };
    const [asked] = await reranker.rerank(endless, [{ title: '', trail: [], text: 'Anna keeps the keys' }]);
    expect(asked?.score).toBeCloseTo(short!, 6);
  });

  it('ends with its signal, and works on for others', async () => {
    const end = new AbortController();
    const passages = Array.from({ length: 500 }, (_, i) => ({ title: '', trail: [], text: `Text number ${i}` }));
    const asked = reranker.rerank(question, passages, end.signal);
    end.abort(new Error('late'));
    await expect(asked).rejects.toThrow('late');
    expect(await scoresOf(reranker, 'still here')).toHaveLength(1);
  });

  it('is tried with one call', async () => {
    expect(await tryReranker(reranker)).toMatchObject({ ok: true });
  });

  it('is called what its profile says', async () => {
    const named = await open(await folder('x', overlapModel(), { name: 'mine', maxTokens: 128 }));
    expect(named).toMatchObject({ id: 'onnx:mine', maxTokens: 128 });
    await named.close();
  });

  it('refuses a model that gives more than one logit, when it is tried', async () => {
    const classes = await open(await folder('classes', overlapModel({ outputs: 3 })));
    expect(await tryReranker(classes)).toMatchObject({
      ok: false,
      failure: { code: 'RERANKER_MALFORMED', message: expect.stringContaining('[1, 3] for a pair where one logit') },
    });
    await classes.close();
  });

  it('says what is missing, and what can not be loaded', async () => {
    await expect(open(await folder('empty', undefined))).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringMatching(/^RERANKER_FOLDER is ".*", which lacks a model \(model\.onnx/),
    });
    await expect(open(await folder('broken', new Uint8Array([1, 2, 3])))).rejects.toMatchObject({
      code: 'RERANKER_UNREACHABLE',
    });
  });
});

describe('the reranker that the configuration names', () => {
  it('is none where none is named', async () => {
    expect(await rerankerFromConfig({ RERANKER_URL: 'http://127.0.0.1:1' })).toBeUndefined();
  });

  it.each([
    [{ RERANKER_PROVIDER: 'onnx' }, 'RERANKER_FOLDER'],
    [{ RERANKER_PROVIDER: 'tei' }, 'RERANKER_URL'],
    [{ RERANKER_PROVIDER: 'cohere' }, 'RERANKER_MODEL'],
    [{ RERANKER_PROVIDER: 'jina', RERANKER_URL: 'http://127.0.0.1:1' }, 'RERANKER_MODEL'],
    [{ RERANKER_PROVIDER: 'tei', RERANKER_URL: 'http://me:hush@127.0.0.1' }, 'RERANKER_API_KEY'],
  ] as const)('%j lacks %s', async (config, variable) => {
    const error: unknown = await rerankerFromConfig(config).catch((refusal: unknown) => refusal);
    expect(error).toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringContaining(variable) });
    expect(String(error)).not.toContain('hush');
  });

  it('says what is wrong with it, after one try', async () => {
    const down = await rerankerFromConfig({ RERANKER_PROVIDER: 'tei', RERANKER_URL: 'http://127.0.0.1:1' });
    expect(down?.id).toBe('tei:127.0.0.1:1');
    expect(await tryReranker(down!)).toMatchObject({ ok: false, failure: { code: 'RERANKER_UNREACHABLE' } });
  });
});
