import { finished } from 'node:stream/promises';
import { CodedError, failureOf, type Identity } from '@postmaster/contracts';
import type { Request } from 'express';
import type { UploadFields, Uploads } from '../document-bytes.js';
import type { Front } from '../front.js';
import type { Answer } from '../http/locals.js';
import { readUpload, type Taken, type UploadPart } from './read-upload.js';
import { idempotencyKeyIn, printOf, writeOnce } from './write-once.js';
import type { Written } from './written.js';

export const linksOf = (id: string) => {
  const self = `/api/v1/documents/${encodeURIComponent(id)}`;
  return { status: self, events: `${self}/events`, text: `${self}/text`, original: `${self}/original` };
};

export type AcceptedDocument = Awaited<ReturnType<Uploads['accept']>>;
type Form = Readonly<Record<string, string>>;

export interface UploadWay {
  maxFiles: number;
  /** Reads the form's fields, before the first byte of a file is kept. */
  fieldsOf: (form: Form) => UploadFields | Promise<UploadFields>;
  /** What a form without a file stands for; UPLOAD_BROKEN unless told. */
  takeNone?: (form: Form) => Promise<AcceptedDocument>;
}

/**
 * Takes a form's files in while they come in, once for its Idempotency-Key: 202 with what became of each. Throws the
 * first failure if all failed. The same form is one of the same fields and the same files, however it is packed.
 */
export const takeUpload = (
  front: Front,
  identity: Identity,
  req: Request,
  res: Answer,
  { maxFiles, fieldsOf, takeNone }: UploadWay,
): Promise<Written> => {
  const digests = idempotencyKeyIn(req) !== undefined;
  const limits = { maxFileBytes: front.config.maxDocumentBytes, maxFiles, digests };
  let form: Form = {};
  const seen = <R>(fields: Form, take: (fields: Form) => Promise<R>): Promise<R> => take((form = fields));
  const print = (taken: readonly { name: string; digest?: string }[]): string =>
    printOf(req, [Object.entries(form).sort(), taken.map(({ name, digest }) => [name, digest])]);
  return writeOnce(front, identity, req, res, {
    act: async () => {
      const taken = await readUpload(
        req,
        limits,
        ({ fields, ...file }) =>
          seen(fields, async () => front.uploads.accept(identity, { ...file, fields: await fieldsOf(fields) })),
        takeNone && ((fields) => seen(fields, takeNone)),
      );
      return { written: told(front, res, taken), print: digests ? print(taken) : undefined };
    },
    read: async () => {
      const drain = ({ fields, stream }: UploadPart) => seen(fields, () => finished(stream.resume()));
      return print(await readUpload(req, limits, drain, (fields) => seen(fields, () => Promise.resolve())));
    },
  });
};

const told = (front: Front, res: Answer, taken: readonly Taken<AcceptedDocument>[]): Written => {
  const failures = taken.flatMap((file) => ('error' in file ? [file.error] : []));
  for (const error of failures)
    if (!(error instanceof CodedError))
      front.log.error({ requestId: res.locals.requestId, err: error }, 'an upload failed');
  const documents = taken.map((file) =>
    'error' in file ? { name: file.name, failure: failureOf(file.error) } : uploaded(file.name, file.value),
  );
  const first = documents.find((document) => 'id' in document);
  if (!first) throw failures[0];
  return { status: 202, location: first.links.status, body: { ...first, documents } };
};

/** What an upload is answered with. */
export const uploaded = (name: string, { document, version, unchanged }: AcceptedDocument) => ({
  name,
  id: document,
  version,
  unchanged,
  links: linksOf(document),
});
