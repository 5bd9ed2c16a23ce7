import { beforeEach, describe, expect, it } from 'vitest';
import { CodedError } from '@postmaster/contracts';
import { FakeEncoder } from '@postmaster/testing';
import type { Encoder } from './encoder.js';
import { keptPassages } from './kept-passages.js';

let encoder: FakeEncoder;
let kept: Encoder;
let clock: number;
let seen: string[];
beforeEach(() => {
  encoder = new FakeEncoder();
  clock = 0;
  seen = [];
  kept = keptPassages(encoder, { now: () => clock, onLookUp: (lookUp) => seen.push(lookUp) });
});

describe('a passage', () => {
  it('is encoded once, whoever asks for it again, and beside whatever', async () => {
    const [a, b] = await kept.embed(['a', 'b'], 'passage');
    expect(await kept.embed(['b', 'c', 'a', 'c'], 'passage')).toEqual([
      ...[b, (await encoder.embed(['c']))[0], a],
      (await encoder.embed(['c']))[0],
    ]);
    expect(encoder.encoded.slice(0, 3)).toEqual(['a', 'b', 'c']);
    expect(seen).toEqual(['miss', 'miss', 'hit', 'miss', 'hit', 'miss']);
  });

  it('that is being encoded is waited for', async () => {
    const [[one], [other]] = await Promise.all([kept.embed(['a'], 'passage'), kept.embed(['a'], 'passage')]);
    expect(other).toBe(one);
    expect(encoder.encoded).toEqual(['a']);
  });

  it('is encoded anew after ten minutes, and after a failure', async () => {
    encoder.failure = new CodedError('ENCODER_UNREACHABLE', 'Down.');
    await expect(kept.embed(['a'], 'passage')).rejects.toThrow('Down.');
    encoder.failure = undefined;
    await kept.embed(['a'], 'passage');
    clock += 600_000;
    await kept.embed(['a'], 'passage');
    expect(encoder.encoded).toEqual(['a', 'a']);
  });

  it('makes room for later ones, and has its vector all the same where there is none at all', async () => {
    const few = keptPassages(encoder, { bytes: 2 * (4 * encoder.dimension + 400) });
    await few.embed(['a', 'b', 'c'], 'passage');
    await few.embed(['b', 'c'], 'passage');
    expect(encoder.encoded).toEqual(['a', 'b', 'c']);
    await few.embed(['a'], 'passage');
    expect(encoder.encoded).toEqual(['a', 'b', 'c', 'a']);
    expect(await keptPassages(encoder, { bytes: 0 }).embed(['a'], 'passage')).toHaveLength(1);
  });
});

it('a question is never kept: its vector may be another one', async () => {
  await kept.embed(['a'], 'query');
  await kept.embed(['a'], 'query');
  await kept.embed(['a'], 'passage');
  expect(encoder.encoded).toEqual(['a', 'a', 'a']);
});
