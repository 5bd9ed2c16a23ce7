import { describe, expect, it } from 'vitest';
import { pointPayload, seeded } from '@postmaster/testing';
import { hitParagraph } from './explain-hit.js';
import { rankSentences, spreadOverDocuments } from './rank-sentences.js';

const paragraph = (id: string, document: string, text: string, position = 0) =>
  hitParagraph({ id, payload: pointPayload({ text, document, position }) });

const HOUSE = [
  paragraph(
    'a',
    'd1',
    'Heating\n\nThe boiler heats the house in winter. It is old. Paint is kept in the shed by the gate.',
  ),
  paragraph('b', 'd1', 'In winter the boiler of the house needs water every week.', 1),
  paragraph('c', 'd2', 'The boiler was serviced in winter by the plumber of the house.'),
  paragraph('d', 'd2', 'const boiler = house({ winter: true }); return boiler;', 1),
];
const texts = (ranked: ReturnType<typeof rankSentences>) => ranked.map(({ sentence }) => sentence.text);

describe('the sentences that tell most', () => {
  it('share their words with many paragraphs; those that cannot stand alone are left out', () => {
    const ranked = texts(rankSentences(HOUSE));
    expect(ranked[0]).toBe('The boiler heats the house in winter.');
    expect(ranked).not.toContain('It is old.');
    expect(ranked).not.toContain('Heating');
    expect(ranked.join()).not.toContain('const');
    expect(ranked).toHaveLength(4);
  });

  it('are scored within 0…1, in the same order whatever the order of the paragraphs', () => {
    const random = seeded(17);
    const words = ['boiler', 'winter', 'house', 'plumber', 'garden', 'apples', 'the', 'of', 'stands', 'gate'];
    for (let round = 0; round < 30; round++) {
      const some = Array.from({ length: 6 }, (_, at) =>
        paragraph(
          `p${at}`,
          `d${at % 3}`,
          Array.from({ length: 12 }, (_, word) =>
            word % 6 === 5 ? 'End. The' : words[Math.floor(random() * 10)],
          ).join(' '),
          at,
        ),
      );
      const ranked = rankSentences(some);
      for (const { score } of ranked) expect(score >= 0 && score <= 1).toBe(true);
      expect(rankSentences([...some].sort(() => random() - 0.5))).toEqual(ranked);
    }
  });

  it('give every document its turn before any gets another', () => {
    const ranked = ['a', 'a', 'a', 'b', 'c'].map((document, at) => ({ paragraph: paragraph(`${at}`, document, 'x') }));
    const ids = (most: number) => spreadOverDocuments(ranked, most).map(({ paragraph: { id } }) => id);
    expect(ids(3)).toEqual(['0', '3', '4']);
    expect(ids(4)).toEqual(['0', '3', '4', '1']);
  });
});
