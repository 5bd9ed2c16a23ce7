import { describe, expect, it } from 'vitest';
import { METADATA_DOCUMENTS, type MetadataDocument } from '@postmaster/testing';
import { checkReply } from './check-reply.js';
import type { DocumentText } from './document-text.js';
import { extractByRules } from './extract-by-rules.js';
import { MetadataReply } from './metadata-reply.js';

const documentOf = ({ text, language, headers, sentAt, name }: MetadataDocument): DocumentText => ({
  ...{ text, language, title: name, found: headers ?? {}, createdAt: sentAt ?? null },
  contentType: headers ? 'message/rfc822' : 'text/plain',
});

const INVENTED = [
  { name: 'vendor', quote: 'Zorblatt Industries', choice: '' },
  { name: 'amount', quote: '987.654,32 kr.', choice: '' },
  { name: 'dueDate', quote: '31. februar 2026', choice: '' },
  { name: 'invoiceNumber', quote: 'ZZ-0000-ZZ', choice: '' },
];

/** As a model replies that points at all that the rules find, and makes four values up. */
const replyOn = (document: DocumentText) => {
  const points = Array.from(document.text);
  const { type, fields } = extractByRules(document);
  const found = fields.filter(({ from, spans, name }) => from === 'rule' && spans.length === 1 && name !== 'type');
  const quoted = found.map(({ name, spans: [span], value }) => ({
    name,
    quote: points.slice(span!.start, span!.end).join(''),
    choice: name === 'paymentMethod' ? String(value) : '',
  }));
  const first = document.text.split('\n')[0]!.trim();
  const made = [...INVENTED].filter(({ name }) => !quoted.some((one) => one.name === name));
  return { reply: MetadataReply.parse({ type, type_quote: first, fields: [...quoted, ...made] }), found, type, made };
};

describe("a model's reply", () => {
  it.each(METADATA_DOCUMENTS.map((one) => [one.name, documentOf(one)] as const))(
    'comes to what the text has, and to nothing that was made up: %s',
    (_, document) => {
      const { reply, found, type, made } = replyOn(document);
      const { fields, dropped } = checkReply(reply, document);
      const values = new Map(fields.map(({ name, value }) => [name, value]));
      expect(dropped).toBeGreaterThanOrEqual(made.length);
      expect(JSON.stringify(fields)).not.toMatch(/Zorblatt|98765432|ZZ-0000/);
      expect(fields.every(({ from, spans }) => from === 'model' && spans.length > 0)).toBe(true);
      if (type !== 'other') for (const { name, value } of found) expect(values.get(name)).toEqual(value);
    },
  );

  it.each([
    [
      'a list',
      [
        { name: 'attendees', quote: 'Lena Vik', choice: '' },
        { name: 'attendees', quote: 'Samir Haddad', choice: '' },
      ],
      { attendees: ['Lena Vik', 'Samir Haddad'] },
    ],
    [
      'a period',
      [{ name: 'servicePeriod', quote: '3 November 2026 - 5 November 2026', choice: '' }],
      { servicePeriod: { from: '2026-11-03', to: '2026-11-05' } },
    ],
    ['a choice that there is not', [{ name: 'category', quote: 'Katuaq', choice: 'astrology' }], {}],
    ['a half of a word', [{ name: 'place', quote: 'Nu', choice: '' }], {}],
  ])('is read for %s', (_, given, expected) => {
    const document = documentOf(METADATA_DOCUMENTS.find(({ name }) => name === 'a conference ticket for two')!);
    const reply = MetadataReply.parse({ type: 'ticket', type_quote: 'Admission ticket', fields: given });
    const { fields } = checkReply(reply, document);
    expect(Object.fromEntries(fields.map(({ name, value }) => [name, value]))).toEqual({ type: 'ticket', ...expected });
  });
});
