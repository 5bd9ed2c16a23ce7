import { describe, expect, it } from 'vitest';
import type { DocumentMetadata } from '@postmaster/contracts';
import { METADATA_DOCUMENTS, type MetadataDocument } from '@postmaster/testing';
import { extractByRules } from './extract-by-rules.js';

const extracted = ({ text, language, headers, sentAt, name }: MetadataDocument) =>
  extractByRules({
    ...{ text, language, title: name, found: headers ?? {}, createdAt: sentAt ?? null },
    contentType: headers ? 'message/rfc822' : 'text/plain',
  });
const plain = (text: string) =>
  extractByRules({ text, title: '', contentType: 'text/plain', language: 'en', createdAt: null, found: {} });

interface Score {
  right: number;
  wrong: number;
  missed: number;
}

/** By field: found as a person reads it, found otherwise, not found. `all` is their sum. */
const scoresOn = (documents: readonly MetadataDocument[]): Record<string, Score> => {
  const scores: Record<string, Score> = {};
  const count = (name: string, what: keyof Score): void => {
    for (const key of [name, 'all']) (scores[key] ??= { right: 0, wrong: 0, missed: 0 })[what]++;
  };
  for (const document of documents) {
    const fields = new Map<string, unknown>(extracted(document).fields.map(({ name, value }) => [name, value]));
    const expected = new Map<string, unknown>(Object.entries(document.expected satisfies DocumentMetadata));
    for (const name of new Set([...expected.keys(), ...fields.keys()])) {
      const right = JSON.stringify(fields.get(name)) === JSON.stringify(expected.get(name));
      if (right) count(name, 'right');
      if (!right && fields.has(name)) count(name, 'wrong');
      if (!right && expected.has(name)) count(name, 'missed');
    }
  }
  return scores;
};

const precision = ({ right, wrong }: Score): number => right / (right + wrong || 1);
const recall = ({ right, missed }: Score): number => right / (right + missed || 1);
const sure = (name: string): [string, number, number] => [name, 1, 1];

/** Of the forty documents that the rules were written on: field, least precision, least recall. */
const WRITTEN_ON: readonly (readonly [string, number, number])[] = [
  ...['type', 'sender', 'thread', 'cc', 'bcc', 'date', 'vendor', 'customer', 'amount', 'tax', 'paymentMethod'].map(
    sure,
  ),
  ...['invoiceNumber', 'dueDate', 'servicePeriod', 'event', 'seat', 'attendees', 'parties'].map(sure),
  ['recipients', 1, 0.9],
  ['place', 0.9, 0.9],
];
/** Of the twenty that were scored once the rules were written. */
const HELD_OUT: readonly (readonly [string, number, number])[] = [
  ['all', 0.96, 0.9],
  ['type', 0.95, 0.95],
  ['date', 0.9, 0.9],
  ['vendor', 0.9, 0.8],
  ['amount', 1, 0.9],
  ['tax', 1, 1],
  ['dueDate', 1, 1],
  ['invoiceNumber', 1, 1],
];

describe('metadata by rules, on sixty documents that were written before the rules', () => {
  const written = scoresOn(METADATA_DOCUMENTS.filter(({ heldOut }) => !heldOut));
  const heldOut = scoresOn(METADATA_DOCUMENTS.filter((document) => document.heldOut));

  it.each(WRITTEN_ON)('finds %s with a precision of %d and a recall of %d at least', (name, least, mostMissed) => {
    expect(precision(written[name]!)).toBeGreaterThanOrEqual(least);
    expect(recall(written[name]!)).toBeGreaterThanOrEqual(mostMissed);
  });

  it.each(HELD_OUT)('on the third held out, finds %s with %d and %d', (name, least, mostMissed) => {
    expect(precision(heldOut[name]!)).toBeGreaterThanOrEqual(least);
    expect(recall(heldOut[name]!)).toBeGreaterThanOrEqual(mostMissed);
  });

  it('says where in the text each value stands, in code points', () => {
    for (const document of METADATA_DOCUMENTS) {
      const moved = { ...document, text: `🧾🧾\n${document.text}` }; // two code points, four UTF-16 units
      const points = Array.from(moved.text);
      for (const { value, from, spans, name } of extracted(moved).fields) {
        if (from !== 'rule' || typeof value !== 'string' || ['type', 'date', 'dueDate', 'paymentMethod'].includes(name))
          continue;
        const words = spans.map(({ start, end }) => points.slice(start, end).join('')).join(', ');
        if (spans.length > 0) expect(words.replace(/\s+/gu, ' ')).toBe(value);
      }
    }
  });
});

describe('metadata by rules', () => {
  it.each([
    ['speaks of invoices and is none', 'Invoices\n\nAn invoice is sent when goods have been delivered.'],
    ['is empty', ''],
    ['has prices', 'Bikes\n\nThe red one costs £200 and the blue one £300.'],
  ])('takes a text for nothing that it is not: one that %s', (_, text) => {
    expect(plain(text)).toMatchObject({ type: 'other', fields: [{ name: 'type', value: 'other' }] });
  });

  it.each([
    ['a day that there is not', 'RECEIPT\nCorner Shop\nDate 31/02/2026\nTotal £3.00', 'date', undefined],
    ['an American date', 'RECEIPT\nShop\nDate 03/04/2026\nTotal $3.00', 'date', '2026-03-04'],
    ['a Danish thousand', 'KVITTERING\nButik\nI alt 1.234.567,5 kr.', 'amount', { minor: 123456750, currency: 'DKK' }],
    ['a currency without minor units', 'RECEIPT\nKiosk\nTotal JPY 1,200', 'amount', { minor: 1200, currency: 'JPY' }],
  ])('reads %s', (_, text, name, value) => {
    expect(plain(text).fields.find((field) => field.name === name)?.value).toEqual(value);
  });

  it('reads long texts of nothing but labels and digits to their end', () => {
    const long = `${'Total 1.000,00 kr. 12-10-2026 Navn: '.repeat(400)}\n${'1.'.repeat(4000)}\n${'a '.repeat(4000)}`;
    expect(plain(long).type).toBe('other'); // a pattern that backtracks takes minutes
  });
});
