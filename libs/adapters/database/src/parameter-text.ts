/** A parameter as Postgres reads it: lists as arrays, other objects as JSON. */
export const parameterText = (value: unknown): string | Buffer | null => {
  if (value === null || value === undefined) return null;
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return arrayText(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

const arrayText = (list: readonly unknown[]): string => `{${list.map(elementText).join(',')}}`;

const elementText = (value: unknown): string => {
  if (Array.isArray(value)) return arrayText(value);
  if (value instanceof Uint8Array) return `"\\\\x${Buffer.from(value).toString('hex')}"`;
  const text = parameterText(value);
  return text === null ? 'NULL' : `"${String(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
};
