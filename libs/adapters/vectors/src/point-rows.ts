import { NAMED_VECTORS, type PointPayload } from '@postmaster/contracts';
import type { Data, DataType, Field, RecordBatch, Schema, Table as ArrowTable } from 'apache-arrow';
import { arrow } from './arrow.js';
import { milliseconds } from './dates.js';
import { TERMS_VERSION } from './lexical-terms.js';
import { metadataPairs } from './metadata-pairs.js';
import { ALL_VECTORS, inOnePiece, isMulti } from './row-vectors.js';
import { type CountedPoint, hashesOf, termsOf } from './stored-point.js';
import { wordsOf } from './text-words.js';

const { Binary, Bool, FixedSizeList, Float32, Float64, List, Struct, Utf8 } = arrow;

const field = (name: string, type: DataType, nullable = false): Field => new arrow.Field(name, type, nullable);
const listOf = (type: DataType): DataType => new List(field('item', type, true));
const vectorOf = (dimension: number): DataType => new FixedSizeList(dimension, field('item', new Float32(), true));
/** A field's metadata that names the version of its terms; tables of version 1 have none. */
export const TERMS_MARK = 'postmaster:terms';
const TERMS_METADATA = new Map([
  ['lance-encoding:compression', 'none'], // hashes don't compress, and are read sooner
  [TERMS_MARK, String(TERMS_VERSION)],
]);

/**
 * A point's row: what filters go by has a column of its own, the rest of the payload is JSON in one,
 * with `madeOf` where that is known. `lexical` is the
 * terms in order for the full-text index, `terms` their sorted hashes for exact scores.
 */
export const pointSchema = (dimension: number): Schema =>
  new arrow.Schema([
    field('id', new Utf8()),
    field('revision', new Float64()),
    field('active', new Bool()),
    field('document', new Utf8()),
    field('collection', new Utf8(), true),
    field('source_type', new Utf8()),
    field('content_type', new Utf8()),
    field('language', new Utf8(), true),
    field('created_at', new Float64(), true), // milliseconds since 1970
    field('added_at', new Float64(), true),
    field('title_words', listOf(new Utf8())),
    field('metadata_pairs', listOf(new Utf8())),
    field('payload', new Utf8()),
    field('lexical', new Utf8()),
    new arrow.Field('terms', new Binary(), false, TERMS_METADATA), // little-endian uint32
    ...NAMED_VECTORS.map((name) =>
      field(name, isMulti(name) ? listOf(vectorOf(dimension)) : vectorOf(dimension), true),
    ),
    // last, as tables that were made without them get them there
    field('position', new Float64(), true),
    field(ALL_VECTORS, listOf(vectorOf(dimension)), true),
  ]);

/** What gives `position` to the rows of a table that was made before it was a column. */
export const POSITION_OF_PAYLOAD = `cast(regexp_match(payload, '"position":([0-9]+),"page":')[1] as double)`;

/** The dimension of a table's vectors. */
export const dimensionOf = (schema: Schema): number => {
  const paragraph = schema.fields.find(({ name }) => name === 'paragraph')?.type;
  return paragraph instanceof FixedSizeList ? paragraph.listSize : 0;
};

/** Points with their terms as one Arrow batch. */
export const pointBatch = (schema: Schema, points: readonly CountedPoint[]): RecordBatch => {
  const column = (name: string, values: readonly unknown[]): Data =>
    arrow.vectorFromArray(values, typeOf(schema, name)).data[0] as Data; // one chunk, as it was made from one array
  const of = (name: string, value: (point: CountedPoint) => unknown): Data => column(name, points.map(value));
  const dimension = dimensionOf(schema);
  const children = [
    of('id', ({ id }) => id),
    of('revision', ({ revision }) => revision),
    of('active', ({ payload }) => payload.active),
    of('document', ({ payload }) => payload.document),
    of('collection', ({ payload }) => payload.collection),
    of('source_type', ({ payload }) => payload.sourceType),
    of('content_type', ({ payload }) => payload.contentType),
    of('language', ({ payload }) => payload.language),
    of('created_at', ({ payload }) => milliseconds(payload.createdAt)),
    of('added_at', ({ payload }) => milliseconds(payload.addedAt)),
    of('title_words', ({ payload }) => wordsOf(payload.title)),
    of('metadata_pairs', ({ payload }) => metadataPairs(payload.metadata)),
    of('payload', ({ payload, madeOf }) => JSON.stringify(madeOf ? { ...payload, madeOf } : payload)),
    of('lexical', ({ payload }) => termsOf(payload).join(' ')),
    of('terms', ({ terms }) => bytesOf(terms)),
    ...NAMED_VECTORS.map((name) => {
      const each = points.map(({ vectors }) => vectors[name]);
      return isMulti(name)
        ? lists(each, dimension)
        : vectors(
            each.map(([vector]) => vector),
            dimension,
          );
    }),
    of('position', ({ payload }) => payload.position),
    lists(
      points.map(({ vectors }) => inOnePiece(vectors)),
      dimension,
    ),
  ];
  const rows = arrow.makeData({ type: new Struct(schema.fields), length: points.length, children });
  return new arrow.RecordBatch(schema, rows);
};

/** What a row has of its payload's words, to be merged into the rows of these ids. */
export const termsTable = (schema: Schema, points: readonly { id: string; payload: PointPayload }[]): ArrowTable => {
  const columns = {
    id: points.map(({ id }) => id),
    lexical: points.map(({ payload }) => termsOf(payload).join(' ')),
    terms: points.map(({ payload }) => bytesOf(hashesOf(payload))),
  };
  return new arrow.Table(
    Object.fromEntries(
      Object.entries(columns).map(([name, values]) => [name, arrow.vectorFromArray(values, typeOf(schema, name))]),
    ),
  );
};

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

const typeOf = (schema: Schema, name: string): DataType => {
  const found = schema.fields.find((one) => one.name === name);
  if (!found) throw new Error(`A point's row has no column "${name}".`);
  return found.type;
};

const lists = (each: readonly (readonly (Float32Array | undefined)[])[], dimension: number): Data => {
  const child = vectors(each.flat(), dimension);
  const valueOffsets = new Int32Array(each.length + 1);
  each.forEach(({ length }, i) => (valueOffsets[i + 1] = (valueOffsets[i] as number) + length)); // within bounds
  const present = each.map(({ length }) => length > 0);
  const type = new List(field('item', child.type, true));
  return arrow.makeData({ type, length: each.length, ...validity(present), valueOffsets, child });
};

const vectors = (list: readonly (Float32Array | undefined)[], dimension: number): Data => {
  const data = new Float32Array(list.length * dimension);
  list.forEach((vector, i) => vector && data.set(vector, i * dimension));
  const type = new FixedSizeList<InstanceType<typeof Float32>>(dimension, field('item', new Float32(), true));
  const child = arrow.makeData({ type: new Float32(), data });
  return arrow.makeData({ type, length: list.length, ...validity(list.map((vector) => vector !== undefined)), child });
};

const validity = (present: readonly boolean[]): { nullCount: number; nullBitmap: Uint8Array } => {
  const nullBitmap = new Uint8Array(Math.ceil(present.length / 8));
  present.forEach((is, i) => is && (nullBitmap[i >> 3] = (nullBitmap[i >> 3] as number) | (1 << (i & 7)))); // within bounds
  return { nullCount: present.filter((is) => !is).length, nullBitmap };
};
