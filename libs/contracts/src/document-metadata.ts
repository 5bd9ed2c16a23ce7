import { z } from 'zod';

/** What a document is, as far as its metadata go. */
export const DOCUMENT_TYPES = ['mail', 'receipt', 'invoice', 'ticket', 'letter', 'contract', 'other'] as const;
export type DocumentType = (typeof DOCUMENT_TYPES)[number];

export const PAYMENT_METHODS = ['card', 'cash', 'mobile', 'online', 'transfer', 'direct-debit'] as const;
export const CATEGORIES = [
  'health',
  'food',
  'household',
  'housing',
  'energy',
  'telecom',
  'transport',
  'travel',
  'culture',
  'sport',
  'clothing',
  'electronics',
  'insurance',
  'finance',
  'public',
  'education',
  'work',
  'family',
] as const;

const currencies = new Set(Intl.supportedValuesOf('currency'));

const text = z.string().trim().min(1).max(300);
const texts = z.array(text).min(1).max(100);
const date = z.iso.date();
/** In the currency's minor unit; negative where money goes back. */
const money = z.strictObject({
  minor: z.number().int(),
  currency: z.string().refine((code) => currencies.has(code), 'not a code of ISO 4217'),
});
export type Money = z.infer<typeof money>;
/** Both days inclusive. */
const period = z
  .strictObject({ from: date, to: date })
  .refine(({ from, to }) => from <= to, 'it ends before it begins');
export type Period = z.infer<typeof period>;

/** Every field that some type has, by its name. */
export const FIELDS = {
  sender: text,
  recipients: texts,
  cc: texts,
  bcc: texts,
  thread: text, // the Message-ID that the thread began with
  date, // that the document bears; of a ticket the day that it is for
  place: text,
  vendor: text,
  customer: text,
  amount: money, // in all, tax included
  tax: money,
  paymentMethod: z.enum(PAYMENT_METHODS),
  invoiceNumber: text,
  dueDate: date,
  servicePeriod: period,
  event: text,
  seat: text,
  attendees: texts,
  parties: texts,
  category: z.enum(CATEGORIES),
  tags: texts,
  topics: texts,
} as const;
export type FieldName = keyof typeof FIELDS;

/** How a field's value is read from words: as they are, or normalised. */
export const KINDS_OF_FIELDS = {
  ...{ sender: 'text', recipients: 'texts', cc: 'texts', bcc: 'texts', thread: 'text', date: 'date', place: 'text' },
  ...{ vendor: 'text', customer: 'text', amount: 'money', tax: 'money', paymentMethod: 'choice' },
  ...{ invoiceNumber: 'text', dueDate: 'date', servicePeriod: 'period', event: 'text', seat: 'text' },
  ...{ attendees: 'texts', parties: 'texts', category: 'choice', tags: 'texts', topics: 'texts' },
} as const satisfies Record<FieldName, 'text' | 'texts' | 'date' | 'period' | 'money' | 'choice'>;

/** What a mail's headers say; any type may have come as a mail. */
export const HEADER_FIELDS = ['sender', 'recipients', 'cc', 'bcc', 'thread'] as const satisfies FieldName[];
const ANY = [...HEADER_FIELDS, 'date', 'category', 'tags', 'topics'] as const satisfies FieldName[];
const BOUGHT = [
  ...ANY,
  ...(['place', 'vendor', 'customer', 'amount', 'tax', 'paymentMethod', 'servicePeriod'] as const),
] as const satisfies FieldName[];

/** The fields that a document of a type may have. */
export const FIELDS_OF = {
  mail: ANY,
  receipt: BOUGHT,
  invoice: [...BOUGHT, 'invoiceNumber', 'dueDate'],
  ticket: [...BOUGHT, 'event', 'seat', 'attendees'],
  letter: [...ANY, 'place'],
  contract: [...ANY, 'place', 'parties', 'amount', 'paymentMethod', 'servicePeriod'],
  other: ANY,
} as const satisfies Record<DocumentType, readonly FieldName[]>;

const schemaOf = <T extends DocumentType>(type: T) => {
  const names: readonly FieldName[] = FIELDS_OF[type];
  const fields = Object.fromEntries(names.map((name) => [name, FIELDS[name].optional()])) as {
    [F in (typeof FIELDS_OF)[T][number]]: z.ZodOptional<(typeof FIELDS)[F]>; // fromEntries forgets the names
  };
  return z.strictObject({ type: z.literal(type), ...fields });
};

/** The metadata of a document by its type, one schema each. Dates are ISO 8601, money is in minor units with ISO 4217 codes. */
export const DocumentMetadataOf = {
  mail: schemaOf('mail'),
  receipt: schemaOf('receipt'),
  invoice: schemaOf('invoice'),
  ticket: schemaOf('ticket'),
  letter: schemaOf('letter'),
  contract: schemaOf('contract'),
  other: schemaOf('other'),
} as const;
export type DocumentMetadata = { [T in DocumentType]: z.infer<(typeof DocumentMetadataOf)[T]> }[DocumentType];

/** Code points of the document's plain text; `end` is past the last one. */
const TextSpan = z.object({ start: z.number().int().min(0), end: z.number().int() });
export type TextSpan = z.infer<typeof TextSpan>;

/** A value of a document's metadata and where it is from: `spans` are empty where that is no place in the text. */
export const ExtractedField = z.object({
  name: z.enum(['type', ...(Object.keys(FIELDS) as [FieldName, ...FieldName[]])]), // Object.keys forgets the names
  value: z.unknown(),
  from: z.enum(['rule', 'model', 'person', 'header']),
  spans: z.array(TextSpan),
});
export type ExtractedField = z.infer<typeof ExtractedField>;

/** What fields come to by the schema of their type; a field that it refuses, or does not have, is left out and named. */
export const readMetadata = (
  type: DocumentType,
  fields: readonly ExtractedField[],
): { metadata: DocumentMetadata; fields: ExtractedField[]; refused: string[] } => {
  const allowed = new Set<string>(['type', ...FIELDS_OF[type]]);
  const read = fields.flatMap((field) => {
    if (!allowed.has(field.name)) return [];
    const parsed =
      field.name === 'type' ? z.literal(type).safeParse(field.value) : FIELDS[field.name].safeParse(field.value);
    return parsed.success ? [{ ...field, value: parsed.data }] : [];
  });
  const kept = new Set(read.map(({ name }) => name));
  const values = Object.fromEntries(read.map(({ name, value }) => [name, value]));
  return {
    metadata: DocumentMetadataOf[type].parse({ ...values, type }) as DocumentMetadata, // its type's schema parsed it
    fields: read,
    refused: fields.filter(({ name }) => !kept.has(name)).map(({ name }) => name),
  };
};
