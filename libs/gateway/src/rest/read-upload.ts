import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import { CodedError } from '@postmaster/contracts';
import busboy, { type Busboy } from 'busboy';

const MOST_FIELDS = 50;
const MAX_FIELD_BYTES = 256 * 1024;
/** Of all that is no file's bytes: as many fields as are taken, and their headers. What never ends is cut off here. */
const MAX_AROUND_BYTES = 16 * 1024 * 1024;

/** A request, or what a request's body came through. */
export type FormSource = Readable & { headers: IncomingHttpHeaders };

export interface UploadLimits {
  maxFileBytes: number;
  maxFiles: number;
  /** Whether each outcome says the SHA-256 of its file's bytes; not unless told. */
  digests?: boolean;
}

export interface UploadPart {
  stream: Readable;
  /** NFC, without folders. */
  name: string;
  declaredType: string;
  /** The form's fields; they go before the files. */
  fields: Readonly<Record<string, string>>;
}

export type Taken<T> = ({ name: string; value: T } | { name: string; error: unknown }) & { digest?: string };

/**
 * Reads a multipart form and hands each file on while it comes in. A file's stream ends only when what follows it in
 * the form is seen to be right; it fails with TOO_LARGE as soon as the limit is passed, with UPLOAD_BROKEN where the
 * form breaks off. Gives an outcome for each file that began; reading stops at the first of these two failures. A form
 * without a file is UPLOAD_BROKEN unless `takeNone` takes its fields.
 */
export const readUpload = <T>(
  request: FormSource,
  { maxFileBytes, maxFiles, digests = false }: UploadLimits,
  take: (part: UploadPart) => Promise<T>,
  takeNone?: (fields: UploadPart['fields']) => Promise<T>,
): Promise<Taken<T>[]> =>
  new Promise((resolve, reject) => {
    const form = formOf(request, maxFileBytes, maxFiles);
    const fields: Record<string, string> = {};
    const outcomes: Promise<Taken<T>>[] = [];
    const files: OpenFile[] = [];
    let open: OpenFile | undefined;
    let around = 0; // bytes
    let over = false;

    const stop = (error: CodedError): void => {
      if (over) return;
      over = true;
      request.unpipe(form);
      open?.fail(error);
      if (outcomes.length === 0) reject(error);
      else void Promise.all(outcomes).then(resolve);
    };
    const broken = (cause?: unknown) => stop(uploadBroken('The upload ended before its end.', cause));

    form.on('field', (name, value, info) => {
      if (open)
        stop(
          new CodedError('INPUT_INVALID', `The field "${name}" comes after a file; fields go before files.`, {
            field: name,
          }),
        );
      else if (info.valueTruncated)
        stop(new CodedError('INPUT_INVALID', `The field "${name}" is too long.`, { field: name }));
      else fields[name] = value;
    });
    form.on('file', (_field, file, info) => {
      const name = nameOf(info.filename);
      open?.release();
      open = openFile(file, digests);
      files.push(open);
      file.on('data', (chunk: Buffer) => (around -= chunk.length));
      file.on('limit', () => stop(new CodedError('TOO_LARGE', `"${name}" is larger than ${maxFileBytes} bytes.`)));
      const part = { stream: open.stream, name, declaredType: info.mimeType, fields: { ...fields } };
      outcomes.push(outcomeOf(name, take(part), open));
    });
    form.on('filesLimit', () => stop(new CodedError('INPUT_INVALID', `An upload takes at most ${maxFiles} files.`)));
    const tooMany = () => stop(new CodedError('INPUT_INVALID', `An upload takes at most ${MOST_FIELDS} fields.`));
    form.on('fieldsLimit', tooMany);
    form.on('partsLimit', tooMany);
    form.on('error', broken);
    form.on('close', () => {
      if (over) return;
      over = true;
      open?.release();
      if (outcomes.length === 0 && takeNone) takeNone(fields).then((value) => resolve([{ name: '', value }]), reject);
      else if (outcomes.length === 0)
        reject(
          new CodedError('UPLOAD_BROKEN', 'The upload holds no file.', {
            next: 'Send the file as a part with a file name.',
          }),
        );
      else
        void Promise.all(outcomes).then((all) =>
          resolve(all.map((one, i) => ({ ...one, digest: files[i]?.digest?.() }))),
        );
    });
    request.on('error', broken);
    request.once('close', () => request.readableEnded || broken());
    if (request.destroyed) return broken(); // its end was told before anyone listened
    request.on('data', (chunk: Buffer) => {
      around += chunk.length;
      if (around > MAX_AROUND_BYTES) stop(new CodedError('INPUT_INVALID', 'The fields of the upload are too long.'));
    });
    request.pipe(form);
  });

/** Browsers write a quotation mark in a name as %22, and nothing else so (HTML, multipart/form-data encoding). */
const nameOf = (sent: string | undefined): string => (sent || 'unnamed').replaceAll('%22', '"').normalize('NFC');

const uploadBroken = (message: string, cause?: unknown) => new CodedError('UPLOAD_BROKEN', message, { cause });

const formOf = (request: FormSource, maxFileBytes: number, files: number): Busboy => {
  try {
    return busboy({
      headers: request.headers,
      defParamCharset: 'utf8',
      limits: {
        fileSize: maxFileBytes + 1, // busboy cuts at fileSize itself
        files,
        fields: MOST_FIELDS,
        fieldSize: MAX_FIELD_BYTES,
        parts: files + MOST_FIELDS + 1, // those without a name count too
      },
    });
  } catch (cause) {
    throw uploadBroken('The request is not multipart/form-data.', cause);
  }
};

interface OpenFile {
  stream: PassThrough;
  /** Once, when all bytes have come. */
  digest?: () => string;
  /** What follows is right: the stream may end when its bytes do. */
  release(): void;
  fail(error: CodedError): void;
  /** No one reads it any more: the form goes on without it. */
  skip(): void;
}

const openFile = (file: Readable, digests: boolean): OpenFile => {
  const stream = new PassThrough();
  let released = false;
  let ended = false;
  const hash = digests ? createHash('sha256') : undefined;
  if (hash) file.on('data', (chunk: Buffer) => hash.update(chunk));
  file.pipe(stream, { end: false });
  file.on('end', () => {
    ended = true;
    if (released) stream.end();
  });
  const skip = () => {
    file.unpipe(stream);
    file.resume();
  };
  stream.on('error', skip);
  file.on('error', () => {}); // told through the stream
  return {
    stream,
    digest: hash && (() => hash.digest('hex')),
    release: () => {
      released = true;
      if (ended) stream.end();
    },
    fail: (error) => {
      skip();
      stream.destroy(error);
    },
    skip,
  };
};

const outcomeOf = async <T>(name: string, taken: Promise<T>, file: OpenFile): Promise<Taken<T>> => {
  try {
    return { name, value: await taken };
  } catch (error) {
    // the taker sees a failed stream in its own way: the first cause counts
    return { name, error: file.stream.errored ?? error };
  } finally {
    file.skip();
  }
};
