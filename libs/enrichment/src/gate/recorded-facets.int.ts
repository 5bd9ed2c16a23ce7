import { describe, expect, it } from 'vitest';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readSet } from '@postmaster/evaluation';
import { languageOf } from '@postmaster/parsers';
import { measureGate, recordedParagraphs } from '@postmaster/testing';

const DATA = join(process.cwd(), '..', 'shared', 'data');
const there = existsSync(join(DATA, 'xquad-da'));
if (!there) console.warn(`Skipped: no evaluation sets in ${DATA}.`);

/** By words alone, so that it is over in seconds; `npm run evaluate:gate` does the same with vectors. */
(there ? describe : describe.skip)('the gate on recorded facets', () => {
  it.each(['en', 'da'] as const)('of xquad-%s rejects few good questions and catches bad ones', async (language) => {
    const recorded = async (name: string) => recordedParagraphs(await readSet(join(DATA, `xquad-${name}`)));
    const [own, foreign] = [await recorded(language), await recorded(language === 'en' ? 'da' : 'en')];
    const { questions, wrongly, planted } = await measureGate(language, own, foreign, { languageOf });
    expect(wrongly.length).toBeLessThanOrEqual(0.03 * questions);
    const faults = Object.values(planted);
    const sum = (of: 'planted' | 'caught') => faults.reduce((all, one) => all + one[of], 0);
    expect(sum('planted')).toBe(300);
    expect(sum('caught')).toBeGreaterThanOrEqual(0.95 * 300);
  });
});
