/** JSON that keeps Float32Arrays, as base64 under this key; an object that has such a key itself goes under `$plain`. */
const FLOATS = '$float32';
const PLAIN = '$plain';

type Fields = Record<string, unknown>;

export const encodeJson = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(pack(value)));

/** Throws for what is not JSON in UTF-8. */
export const decodeJson = (bytes: Uint8Array): unknown =>
  unpack(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));

const pack = (value: unknown): unknown => {
  if (value instanceof Float32Array)
    return { [FLOATS]: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64') };
  if (Array.isArray(value)) return value.map(pack);
  if (!isFields(value) || typeof value.toJSON === 'function') return value;
  const packed = eachOf(value, pack);
  return FLOATS in value || PLAIN in value ? { [PLAIN]: packed } : packed;
};

const unpack = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(unpack);
  if (!isFields(value)) return value;
  if (typeof value[FLOATS] === 'string') return floatsOf(value[FLOATS]);
  return eachOf(isFields(value[PLAIN]) ? value[PLAIN] : value, unpack);
};

const floatsOf = (base64: string): Float32Array => {
  const bytes = Uint8Array.from(Buffer.from(base64, 'base64')); // a copy that begins at a multiple of 4
  return new Float32Array(bytes.buffer, 0, Math.floor(bytes.length / 4));
};

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

const eachOf = (fields: Fields, change: (value: unknown) => unknown): Fields =>
  Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, change(value)]));
