import { describe, expect, it } from 'vitest';
import { type PointPayload, TenantId } from '@postmaster/contracts';
import { pointPayload } from '@postmaster/testing';
import { questionTerms } from '../lexical-terms.js';
import { questionWeights, textWeights } from './lexical-weights.js';
import { operationBatches } from './operation-batches.js';
import { nearestPacked, packVector } from './packed-questions.js';
import { pointId } from './point-id.js';
import { pointStruct } from './point-record.js';

const tenant = TenantId.parse('ours');
const none = { paragraph: [], simple_questions: [], complex_questions: [], context: [], scope: [] };
const struct = (payload: PointPayload) => pointStruct(tenant, { id: 'p', revision: 1, payload, vectors: none }, 'w');

describe('A point on its way to Qdrant', () => {
  it('has a UUID of its tenant and its id, never the same for two', () => {
    expect(pointId(tenant, 'p')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(pointId(tenant, 'p')).toBe(pointId(tenant, 'p'));
    expect(pointId(TenantId.parse('our'), 'sp')).not.toBe(pointId(tenant, 'p'));
  });

  it('is JSON that a strict reader takes, whatever its texts hold, and keeps them', () => {
    const broken = 'half a \ud83d pair';
    const payload = pointPayload({ text: broken, title: broken, collection: broken, metadata: { [broken]: broken } });
    const sent = struct(payload);
    expect(JSON.stringify(sent).replaceAll('\\\\', '')).not.toMatch(/\\ud[89a-f]/);
    expect(JSON.parse(String(sent.payload?.point))).toEqual(payload);
  });

  it('tells the nearest of its questions from packed vectors, however close the others are', () => {
    const question = Float32Array.of(0.6, 0.8, 0);
    const near = [0.0004, 0.0002, 0.0006].map((off) => Float32Array.of(0.6, 0.8, off));
    expect(nearestPacked(question, near.map(packVector))).toBe(1);
    expect(nearestPacked(question, [packVector(new Float32Array(3))])).toBe(0);
    expect(nearestPacked(question, [])).toBeUndefined();
  });

  it('weighs a term by its times and the length of the text, and a question’s terms once each', () => {
    const once = textWeights(['fox', 'hen']);
    const twice = textWeights(['fox', 'fox', 'hen']);
    expect(twice?.indices).toEqual(once?.indices);
    expect(twice?.values[0]).toBeGreaterThan(once?.values[0] ?? NaN);
    expect(textWeights(Array.from({ length: 1500 }, (_, i) => `w${i}`))?.values[0]).toBeLessThan(1);
    expect(textWeights(Array.from({ length: 750 }, (_, i) => `w${i}`))?.values[0]).toBeCloseTo(1, 6);
    expect(questionWeights(questionTerms('Fox fox HEN'))?.values).toEqual([1, 1, 1, 1]); // a word and its piece
    expect(textWeights([])).toBeUndefined();
    expect(questionWeights([])).toBeUndefined();
  });

  it('shares a call with others up to its bounds, and has one of its own past them', () => {
    const small = { insert: struct(pointPayload({ text: 'small' })) };
    const large = { insert: struct(pointPayload({ text: 'l'.repeat(5_000_000) })) };
    const calls = operationBatches(tenant, [small, small, large, small]);
    expect(
      calls.map((operations) => operations.map((one) => ('upsert' in one ? one.upsert : undefined))),
    ).toMatchObject([[{ points: [{}, {}] }], [{ points: [{}] }], [{ points: [{}] }]]);
    expect(operationBatches(tenant, [])).toEqual([]);
  });
});
