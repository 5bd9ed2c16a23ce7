import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Encoder } from '@postmaster/embedding';
import { encoderFromConfig } from './encoder-from-config.js';
import { miniLM } from './mini-lm.js';

const BUNDLED = fileURLToPath(new URL('../../../../../models/all-minilm-l6-v2', import.meta.url));
const PROFILE = { name: 'mine', dimension: 384, maxTokens: 256, pooling: 'mean', queryPrefix: 'query: ' };

let root: string;
const folder = async (name: string, profile: object | undefined, files = ['onnx', 'tokenizer.json']): Promise<string> => {
  const path = join(root, name);
  await mkdir(path);
  for (const file of files) await symlink(join(BUNDLED, file), join(path, file));
  if (profile) await writeFile(join(path, 'postmaster.json'), JSON.stringify(profile));
  return path;
};
const open = (path: string): Promise<Encoder> =>
  encoderFromConfig({ ENCODER_PROVIDER: 'onnx', ENCODER_FOLDER: path, ENCODER_THREADS: 1 });

describe('an encoder from a folder', () => {
  let bundled: Encoder;
  let mine: Encoder;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'postmaster-encoder-'));
    [bundled, mine] = await Promise.all([miniLM({ threads: 1 }), folder('mine', PROFILE).then(open)]);
  });
  afterAll(async () => {
    await Promise.all([bundled.close(), mine.close()]);
    await rm(root, { recursive: true });
  });

  it('gives the vectors of the bundled one where it is a copy of it', async () => {
    const texts = ['A cat sleeps on the sofa.', 'Rødgrød med fløde', '春天的第一個早晨'];
    expect(await mine.embed(texts, 'passage')).toEqual(await bundled.embed(texts, 'passage'));
  });

  it('puts its prefixes before questions and passages, and counts them', async () => {
    const [asked] = await mine.embed(['who sleeps?'], 'query');
    expect([asked]).toEqual(await bundled.embed(['query: who sleeps?'], 'passage'));
    expect(await mine.windows('word '.repeat(252))).toHaveLength(1);
    expect(await mine.windows('word '.repeat(253))).toHaveLength(2);
  });

  it('has an id that changes with whatever changes its vectors', async () => {
    expect(mine.id).toMatch(/^onnx:mine-[0-9a-f]{12}$/);
    const other = await open(await folder('cls', { ...PROFILE, pooling: 'cls' }));
    expect(other.id).toMatch(/^onnx:mine-/);
    expect(other.id).not.toBe(mine.id);
    expect(await other.embed(['who?'], 'query')).not.toEqual(await mine.embed(['who?'], 'query'));
    await other.close();
  });

  it.each([
    ['a folder that is not there', '/nowhere', /lacks a model \(model\.onnx, .*\) and tokenizer\.json and postmaster\.json/],
    ['one without a profile', () => folder('bare', undefined), /lacks postmaster\.json/],
    ['one without a tokenizer', () => folder('dumb', PROFILE, ['onnx']), /lacks tokenizer\.json/],
    ['a profile of another form', () => folder('odd', { ...PROFILE, pooling: 'max' }), /postmaster\.json is wrong \(pooling: /],
  ])('refuses %s, and says what it needs', async (_, path, message) => {
    const refused = open(typeof path === 'string' ? path : await path());
    await expect(refused).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringMatching(message),
      next: expect.stringContaining('"dimension":384'),
    });
  });

  it('refuses a model of another dimension than its profile says', async () => {
    await expect(open(await folder('wide', { ...PROFILE, dimension: 768 }))).rejects.toMatchObject({
      code: 'ENCODER_REFUSED',
      message: expect.stringContaining('[1, tokens, 768] was expected'),
    });
  });

  it('says which variable is missing', async () => {
    await expect(encoderFromConfig({ ENCODER_PROVIDER: 'onnx' })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining('ENCODER_FOLDER'),
    });
  });
});
