import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';

export interface Multipart {
  contentType: string;
  body: Readable;
}

/** A form with its fields before its one file (RFC 7578), as the server takes it: the file streams, whatever its size. */
export const multipartOf = (
  fields: Readonly<Record<string, string | undefined>>,
  file: { name: string; bytes: AsyncIterable<Uint8Array> },
): Multipart => {
  const boundary = `postmaster-${randomUUID()}`;
  const part = (head: string): string => `--${boundary}\r\ncontent-disposition: form-data; ${head}\r\n\r\n`;
  const pieces = async function* (): AsyncGenerator<Uint8Array> {
    for (const [name, value] of Object.entries(fields))
      if (value !== undefined) yield Buffer.from(`${part(`name="${name}"`)}${value}\r\n`);
    const type = '\r\ncontent-type: application/octet-stream';
    yield Buffer.from(part(`name="file"; filename="${quoted(file.name)}"${type}`));
    yield* file.bytes;
    yield Buffer.from(`\r\n--${boundary}--\r\n`);
  };
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: Readable.from(pieces(), { objectMode: false }),
  };
};

/** As browsers write names (WHATWG HTML, multipart form data): UTF-8, with three signs escaped. */
const quoted = (name: string): string => name.replace(/\r/g, '%0D').replace(/\n/g, '%0A').replace(/"/g, '%22');
