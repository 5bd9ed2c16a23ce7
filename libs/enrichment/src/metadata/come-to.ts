import {
  DOCUMENT_TYPES,
  type DocumentType,
  type ExtractedField,
  type FieldName,
  readMetadata,
  type Scalar,
} from '@postmaster/contracts';

/** What a person says of a field: its value, or that it has none. */
export interface Correction {
  name: FieldName | 'type';
  value: unknown;
}

/** What filters and plans use of a document's metadata; recipients and the like are lists, and no filter knows those. */
const FILTERED: readonly FieldName[] = [
  ...(['vendor', 'customer', 'invoiceNumber', 'event', 'category', 'paymentMethod', 'place'] as const),
];
/** Their date is printed in them, and is surer than the day on which a file was made or scanned. */
const DATED: readonly DocumentType[] = ['receipt', 'invoice', 'ticket', 'letter', 'contract'];

export interface ComeTo {
  shown: ExtractedField[];
  filters: Record<string, Scalar>;
  /** ISO 8601. */
  date: string | null;
}

/** What fields come to with what people corrected: a correction counts, whatever was extracted. */
export const comeTo = (fields: readonly ExtractedField[], corrections: readonly Correction[]): ComeTo => {
  const corrected = new Set<string>(corrections.map(({ name }) => name));
  const said = corrections.flatMap(({ name, value }): ExtractedField[] =>
    value === null ? [] : [{ name, value, from: 'person', spans: [] }],
  );
  const all = [...fields.filter(({ name }) => !corrected.has(name)), ...said];
  const named = all.find(({ name }) => name === 'type')?.value;
  const type = DOCUMENT_TYPES.find((one) => one === named) ?? 'other';
  const { fields: shown, metadata } = readMetadata(type, all);
  const values: Partial<Record<FieldName, unknown>> = metadata;
  const { amount } = metadata as { amount?: { minor: number; currency: string } }; // of the types that have one
  return {
    shown,
    filters: {
      ...(type === 'other' || type === 'mail' ? {} : { type }),
      ...Object.fromEntries(
        FILTERED.flatMap((name) => (typeof values[name] === 'string' ? [[name, values[name] as string]] : [])),
      ),
      ...(type === 'letter' && typeof values.sender === 'string' && { sender: values.sender }),
      ...(amount && { amount: amount.minor, currency: amount.currency }),
    },
    date: DATED.includes(type) && typeof values.date === 'string' ? values.date : null,
  };
};
