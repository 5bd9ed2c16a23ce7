import { describe, expect, it } from 'vitest';
import { FUSIONS, LEGS } from '@postmaster/contracts';
import { seeded } from '@postmaster/testing';
import { fuseScores } from './fuse-scores.js';
import { shareScore } from './share-score.js';

const leg = (scaled: number, weight: number) => ({ raw: scaled, scaled, rank: 1, weight });

describe("a leg's share of a score", () => {
  it('is weight × scaled score in a weighted mean', () => {
    const shares = shareScore(0.65, { paragraph: leg(0.5, 0.7), lexical: leg(1, 0.3) });
    expect(shares).toEqual({ paragraph: expect.closeTo(0.35, 9), lexical: expect.closeTo(0.3, 9) });
  });

  it('is all of it for the greatest leg under `max`, halves for two equal ones', () => {
    const legs = { paragraph: leg(0.8, 0.4), context: leg(0.8, 0.1), lexical: leg(0.5, 0.5) };
    expect(shareScore(0.8, legs, { fusion: 'max' })).toEqual({
      paragraph: expect.closeTo(0.4, 9),
      context: expect.closeTo(0.4, 9),
      lexical: 0,
    });
  });

  it('is left out for a leg that told nobody apart', () => {
    expect(shareScore(1, { paragraph: leg(1, 1), context: leg(1, 0) })).toEqual({ paragraph: 1 });
  });

  it.each(FUSIONS)('is 0 or more, and all shares sum to the score, under %s', (fusion) => {
    const random = seeded(11);
    for (let round = 0; round < 30; round++) {
      const candidates = Array.from({ length: 1 + Math.floor(random() * 6) }, (_, id) => ({
        id: String(id),
        scores: Object.fromEntries(
          LEGS.flatMap((name) =>
            random() < 0.7 ? [[name, Math.round(random() * 8) / 4 - (name === 'lexical' ? 0 : 1)]] : [],
          ),
        ),
      }));
      for (const { score, legs } of fuseScores(candidates, { fusion })) {
        const shares = Object.values(shareScore(score, legs, { fusion }));
        for (const share of shares) expect(share).toBeGreaterThanOrEqual(0);
        expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(score, 9);
      }
    }
  });
});
