import type { StreamInfo } from '@nats-io/jetstream';
import { describe, expect, it } from 'vitest';
import { vectorsVerdict } from './examine-embedded.js';
import { diskVerdict, memoryVerdict, nodeVerdict } from './machine.js';
import { consumersSaid } from './nats/consumers.js';
import { streamsSaid } from './nats/streams.js';
import { collectionsVerdict, indexVerdict } from './qdrant/collections-verdict.js';
import type { IndexState } from './qdrant/read-collections.js';

describe('the machine', () => {
  const disk = { whole: 100e9, free: 50e9, folder: '/data', largest: 100e6 };
  it('has room for documents, or says how little', () => {
    expect(diskVerdict(disk)).toEqual({ state: 'ok', said: '50 GB of 100 GB free for /data.' });
    expect(diskVerdict({ ...disk, free: 3e9 }).state).toBe('warn');
    expect(diskVerdict({ ...disk, free: 150e6 })).toMatchObject({
      state: 'fail',
      said: expect.stringContaining('100 MB'),
    });
  });
  it('has a Node that is new enough', () => {
    expect(['20.19.0', '22.1.0', '20.18.3', '18.20.0'].map((one) => nodeVerdict(one).state)).toEqual([
      'ok',
      'ok',
      'fail',
      'fail',
    ]);
  });
  it('has memory for all in one process', () => {
    expect(memoryVerdict({ whole: 512e6, free: 400e6, embedded: true }).state).toBe('warn');
    expect(memoryVerdict({ whole: 512e6, free: 400e6, embedded: false }).state).toBe('ok');
  });
});

describe('streams', () => {
  const stream = (config: object = {}, more: object = {}): StreamInfo =>
    ({
      config: { name: 'POSTMASTER_WORK', max_bytes: -1, max_age: 7 * 86_400e9, num_replicas: 1, ...config },
      state: { messages: 1_200, bytes: 4_500_000 },
      ...more,
    }) as unknown as StreamInfo; // what is read of it
  const said = (info: StreamInfo, replicas = 1) => streamsSaid([{ name: 'POSTMASTER_WORK', info }], replicas);

  it('are told with what they hold and how long they keep it', () => {
    expect(said(stream())).toEqual({
      state: 'ok',
      said: 'POSTMASTER_WORK: 1,200 messages, 4.5 MB, kept for 7 days, 1 copy.',
    });
  });
  it('that are not there yet are nothing wrong, and one alone is', () => {
    expect(streamsSaid([{ name: 'A' }, { name: 'B' }], 1)).toMatchObject({
      state: 'ok',
      said: expect.stringContaining('A and B are not there yet'),
    });
    expect(streamsSaid([{ name: 'A' }, { name: 'B', info: stream() }], 1)).toMatchObject({
      state: 'warn',
      said: expect.stringContaining('A is missing'),
    });
  });
  it('warn of other copies than configured, of a full one and of one that is behind; a headless one fails', () => {
    expect(said(stream(), 3).said).toContain('NATS_REPLICAS says 3');
    expect(said(stream({ max_bytes: 5_000_000 })).said).toContain('4.5 MB of 5 MB');
    expect(said(stream({}, { cluster: { leader: 'a', replicas: [{ name: 'b', current: false }] } })).said).toContain(
      'behind',
    );
    expect(said(stream({}, { cluster: { replicas: [] } })).state).toBe('fail');
  });
});

describe('consumers', () => {
  it('are told by what waits longest', () => {
    const idle = { name: 'b', waiting: 0, oldestSeconds: 0 };
    expect(consumersSaid([idle])).toEqual({ state: 'ok', said: '1 consumer, and nothing waits for any.' });
    expect(consumersSaid([idle, { name: 'a', waiting: 3, oldestSeconds: 4 }])).toEqual({
      state: 'ok',
      said: '2 consumers; waiting: a 3 messages, the oldest for 4 s.',
    });
    expect(consumersSaid([{ name: 'a', waiting: 1, oldestSeconds: 400 }]).state).toBe('warn');
    expect(consumersSaid([{ name: 'a', waiting: 2_000, oldestSeconds: 1 }]).next).toContain('ConsumerLag');
    expect(consumersSaid([]).state).toBe('ok');
  });
});

describe('collections of Qdrant', () => {
  const state: IndexState = {
    ...{ index: 'minilm-384', collection: 'postmaster-minilm-384.1', status: 'green', optimizerError: undefined },
    ...{ points: 10, terms: 2, dimension: 384, shards: 2, copies: 1, shardsOut: 0 },
  };
  const verdict = (more: Partial<IndexState>) => collectionsVerdict([{ ...state, ...more }], { shards: 2, copies: 1 });

  it('are told with status, points, dimension and how they lie', () => {
    expect(verdict({})).toEqual({
      state: 'ok',
      said: 'minilm-384: green, 10 points of 384 dimensions, 2 shards, 1 copy.',
    });
  });
  it('fail where they are red or can not be optimised', () => {
    expect(verdict({ status: 'red' }).state).toBe('fail');
    expect(verdict({ optimizerError: 'no space left' })).toMatchObject({
      state: 'fail',
      said: expect.stringContaining('no space left'),
    });
  });
  it('warn where they are busy, lack a copy, or lie otherwise than configured', () => {
    expect(verdict({ status: 'yellow' }).said).toContain('being optimised');
    expect(verdict({ status: 'grey' }).state).toBe('warn');
    expect(verdict({ shardsOut: 2 }).said).toContain('2 copies of shards');
    expect(verdict({ copies: 2 })).toMatchObject({
      state: 'warn',
      said: expect.stringContaining('Configured are 2 shards and 1 copy'),
    });
    expect(verdict({ shards: undefined, copies: undefined }).state).toBe('ok');
  });
  it('warn where words have no pieces yet, with what to do', () => {
    expect(verdict({ terms: undefined })).toMatchObject({
      state: 'warn',
      next: expect.stringContaining('postmaster rebuild'),
    });
    expect(verdict({ terms: undefined, points: 0 }).state).toBe('ok');
  });

  const encoder = { id: 'minilm', dimension: 384 };
  it("fail where the encoder's own has another dimension", () => {
    expect(indexVerdict([{ ...state, dimension: 768 }], encoder, 'minilm-384')).toMatchObject({
      state: 'fail',
      said: 'minilm gives 384 dimensions, but its index postmaster-minilm-384.1 holds vectors of 768 dimensions.',
    });
    expect(indexVerdict([state], encoder, 'minilm-384').state).toBe('ok');
  });
  it("warn where only another encoder's is there", () => {
    expect(indexVerdict([state], { id: 'bge', dimension: 1024 }, 'bge-1024')).toMatchObject({
      state: 'warn',
      said: expect.stringContaining('minilm-384 with 10 points'),
    });
    expect(indexVerdict([], encoder, 'minilm-384').state).toBe('ok');
  });
});

describe('embedded vectors', () => {
  const index = { name: 'minilm-384', tables: 1, rows: 2_000, journal: 0 };
  const encoder = { id: 'minilm', dimension: 384, index: 'minilm-384' };
  it('are told by index', () => {
    expect(vectorsVerdict([index], encoder)).toEqual({
      state: 'ok',
      said: 'minilm-384: 2,000 paragraphs of 1 tenant.',
    });
    expect(vectorsVerdict([{ ...index, journal: 7_000 }], encoder).said).toContain(
      'and 7 KB of later changes in the journal',
    );
    expect(vectorsVerdict([], encoder).state).toBe('ok');
  });
  it("fail where none is the encoder's, or one can not be read", () => {
    expect(vectorsVerdict([index], { ...encoder, index: 'bge-1024' })).toMatchObject({
      state: 'fail',
      said: expect.stringContaining('DIMENSION_MISMATCH'),
    });
    expect(vectorsVerdict([{ ...index, broken: 'no manifest' }], encoder).said).toContain('no manifest');
  });
});
