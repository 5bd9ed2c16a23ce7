import { describe, expect, it } from 'vitest';
import { connectionsVerdict } from './connections.js';
import { type Counts, parseCounts } from './counts.js';

const facts = { reserved: 3, open: 10, pools: {}, replicas: {} };
const one: Counts = { tenants: 1, ingestion: 1, enrichment: 1, embedding: 1, 'embedding-query': 1 };

describe('connections to Postgres', () => {
  it('are pools × the most replicas, and one replica more of each in a rollout', () => {
    const { state, said } = connectionsVerdict({ ...facts, most: 400 });
    // 2×5 + 6×10 + 8×10 + 6×10 + 10×2, as docs/operations.md has it
    expect(said).toContain('At most 230 connections are opened');
    expect(said).toContain('267 during a rollout; Postgres has room for 397 (max_connections 400 less 3 reserved)');
    expect(state).toBe('ok');
  });

  it('fail where what the operator said is more than Postgres takes', () => {
    const replicas = { ...one, ingestion: 20 };
    const { state, said, next } = connectionsVerdict({ ...facts, most: 200, replicas });
    expect([state, next]).toEqual(['fail', expect.stringContaining('Raise max_connections to at least 314')]);
    expect(said).toContain('At most 227 connections');
    expect(next).not.toContain('--replicas');
  });

  it('warn where only assumed replicas are too many, and say how to say yours', () => {
    const { state, next } = connectionsVerdict({ ...facts, most: 100 });
    expect([state, next]).toEqual(['warn', expect.stringContaining('--replicas')]);
  });

  it('fail where even one replica of each is too many', () => {
    expect(connectionsVerdict({ ...facts, most: 30 }).state).toBe('fail');
  });

  it('warn where a rollout leaves too few for migrations and people', () => {
    expect(connectionsVerdict({ ...facts, most: 100, replicas: one })).toMatchObject({
      state: 'warn',
      said: expect.stringContaining('fewer than 50'),
    });
  });

  it('go by DATABASE_POOL_SIZE for those whose pool was not said', () => {
    const { said } = connectionsVerdict({ ...facts, most: 400, replicas: one, pools: { tenants: 1 }, poolSize: 20 });
    expect(said).toContain('tenants 1×1, ingestion 1×20');
    expect(said).toContain('At most 81');
  });

  it('warn where nearly all are taken', () => {
    expect(connectionsVerdict({ ...facts, most: 200, replicas: one, open: 190 }).said).toContain(
      '190 are open now. Nearly all',
    );
  });

  it('count nobody who has no replicas', () => {
    const none: Counts = { tenants: 0, ingestion: 0, enrichment: 0, embedding: 1, 'embedding-query': 0 };
    expect(connectionsVerdict({ ...facts, most: 400, replicas: none }).said).toContain(
      'At most 10 connections are opened',
    );
    expect(connectionsVerdict({ ...facts, most: 400, replicas: none }).said).toContain('20 during a rollout');
  });
});

describe('counts', () => {
  it('are read by name', () => {
    expect(parseCounts('--replicas', 'tenants=2, embedding-query=4')).toEqual({ tenants: 2, 'embedding-query': 4 });
    expect(parseCounts('--replicas', '')).toEqual({});
  });
  it.each(['tenant=2', 'tenants', 'tenants=-1', 'tenants=two'])('refuse %s', (text) => {
    expect(() => parseCounts('--replicas', text)).toThrow(/^--replicas (names|has)/);
  });
});
