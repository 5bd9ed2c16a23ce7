import { describe, expect, it } from 'vitest';
import { mutateDocument } from './mutate-document.js';
import { sampleDocx, samplePdf, zipEntries } from './sample-files.js';

const text = 'The harbour was built by the town itself.';
const sources = [
  { name: 'a.txt', bytes: Buffer.from(text.repeat(20)) },
  { name: 'b.docx', bytes: sampleDocx([text]) },
  { name: 'c.pdf', bytes: samplePdf([[text]]) },
];
const many = Array.from({ length: 200 }, (_, seed) => mutateDocument(sources, seed));

describe('mutateDocument', () => {
  it('damages the same document in the same way for the same seed, and others for others', () => {
    expect(mutateDocument(sources, 7)).toEqual(many[7]);
    expect(new Set(many.map(({ bytes }) => Buffer.from(bytes).toString('base64'))).size).toBeGreaterThan(190);
  });

  it('leaves its sources as they were', () => {
    expect(sources[0]?.bytes.toString()).toBe(text.repeat(20));
  });

  it('takes every kind of document, and every kind of damage', () => {
    const kinds = ['flipped bits', 'cut', 'splice', 'repeated block', 'zeroed range'];
    for (const { name } of sources) {
      for (const kind of kinds)
        expect(many.filter(({ what }) => what.startsWith(`${kind} of ${name}`))).not.toEqual([]);
    }
  });

  it('packs a damaged entry so that the archive itself is sound', () => {
    const inside = many.filter(({ what }) => what.includes(' in b.docx'));
    expect(inside.length).toBeGreaterThan(10);
    const whole = Object.keys(zipEntries(sampleDocx([text])) ?? {});
    for (const { bytes } of inside) expect(Object.keys(zipEntries(bytes) ?? {})).toEqual(whole);
  });
});
