import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type S3Key, signatureFault } from './s3-server/check-signature.js';

export type S3Fault =
  /** Takes the request and never answers. */
  | 'silent'
  /** Ends the connection in the middle of an object's bytes. */
  | 'cut'
  /** Answers 503 SlowDown. */
  | 'busy';

/** A stand-in for an S3-compatible store: one bucket, in memory, addressed in the path, with real signatures. */
export interface S3Server extends S3Key {
  endpoint: string;
  bucket: string;
  objects: Map<string, Buffer>;
  /** Multipart uploads that were begun and not ended. */
  uploads: Map<string, Upload>;
  /** "PUT part", "GET object" …, in order. */
  calls: string[];
  /** What goes wrong with the next calls, for so many of them. */
  fail(fault: S3Fault, times?: number): void;
  close(): Promise<void>;
}

interface Upload {
  key: string;
  initiated: Date;
  parts: Map<number, Buffer>;
}

interface Call {
  name: string;
  key: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

interface Reply {
  status: number;
  headers?: Record<string, string | number>;
  body?: string | Buffer;
}

type Kept = Pick<S3Server, 'bucket' | 'objects' | 'uploads'>;

export const startS3Server = async (options: Partial<S3Key & { bucket: string }> = {}): Promise<S3Server> => {
  const { bucket = 'blobs', accessKeyId = 'the-key', secretAccessKey = 'the-secret' } = options;
  const kept: Kept = { bucket, objects: new Map(), uploads: new Map() };
  const calls: string[] = [];
  let faults: S3Fault[] = [];

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    const fault = faults.shift();
    if (fault === 'silent') return;
    const url = new URL(request.url ?? '/', 'http://localhost');
    const [, asked = '', ...rest] = url.pathname.split('/');
    const key = rest.map(decodeURIComponent).join('/');
    const query = url.searchParams;
    const name = nameOf(String(request.method), key, query, request.headers);
    calls.push(name);
    const refused = fault === 'busy' ? 'SlowDown' : signatureFault(request, body, { accessKeyId, secretAccessKey });
    const reply = refused
      ? failed(refused === 'SlowDown' ? 503 : 403, refused)
      : asked === bucket
        ? (ACTS[name]?.(kept, { name, key, query, headers: request.headers, body }) ?? failed(501, 'NotImplemented'))
        : failed(404, 'NoSuchBucket');
    send(response, reply, request.method === 'HEAD', fault === 'cut');
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy()); // the client went away
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    ...{ ...kept, calls, accessKeyId, secretAccessKey },
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // TCP
    fail: (fault, times = 1) => (faults = Array.from({ length: times }, () => fault)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

const nameOf = (method: string, key: string, query: URLSearchParams, headers: IncomingMessage['headers']): string => {
  if (!key) return `${method} ${query.has('uploads') ? 'uploads' : 'list'}`;
  if (query.has('partNumber')) return `${method} part`;
  if (query.has('uploads') || query.has('uploadId')) return `${method} ${query.has('uploads') ? 'begin' : 'upload'}`;
  return `${method} ${headers['x-amz-copy-source'] ? 'copy' : 'object'}`;
};

const ACTS: Record<string, (kept: Kept, call: Call) => Reply> = {
  'PUT object': ({ objects }, { key, body }) => {
    objects.set(key, body);
    return { status: 200, headers: { etag: etagOf(body) } };
  },
  'PUT copy': ({ objects, bucket }, { key, headers }) => {
    const source = decodeURIComponent(String(headers['x-amz-copy-source']))
      .replace(`${bucket}/`, '')
      .replace(/^\//, '');
    const bytes = objects.get(source);
    if (!bytes) return failed(404, 'NoSuchKey');
    objects.set(key, bytes);
    return xml('CopyObjectResult', tag('ETag', etagOf(bytes)));
  },
  'GET object': ({ objects }, { key, headers }) => {
    const bytes = objects.get(key);
    return bytes ? partOf(bytes, headers.range) : failed(404, 'NoSuchKey');
  },
  'HEAD object': ({ objects }, { key }) => {
    const bytes = objects.get(key);
    return bytes ? { status: 200, headers: { 'content-length': bytes.length } } : { status: 404 };
  },
  'DELETE object': ({ objects }, { key }) => {
    objects.delete(key);
    return { status: 204 };
  },
  'POST begin': ({ uploads, bucket }, { key }) => {
    const id = randomUUID();
    uploads.set(id, { key, initiated: new Date(), parts: new Map() });
    return xml('InitiateMultipartUploadResult', tag('Bucket', bucket) + tag('Key', key) + tag('UploadId', id));
  },
  'PUT part': ({ uploads }, { query, body }) => {
    const upload = uploads.get(String(query.get('uploadId')));
    if (!upload) return failed(404, 'NoSuchUpload');
    upload.parts.set(Number(query.get('partNumber')), body);
    return { status: 200, headers: { etag: etagOf(body) } };
  },
  'POST upload': ({ objects, uploads, bucket }, { key, query, body }) => {
    const id = String(query.get('uploadId'));
    const upload = uploads.get(id);
    if (!upload) return failed(404, 'NoSuchUpload');
    const listed = [...body.toString().matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part = '']) => ({
      number: Number(/<PartNumber>(\d+)</.exec(part)?.[1]),
      etag: /<ETag>(.*?)<\/ETag>/.exec(part)?.[1]?.replaceAll('&quot;', '"'),
    }));
    const parts = listed.map(({ number, etag }) => ({ etag, bytes: upload.parts.get(number) }));
    if (parts.some(({ etag, bytes }) => !bytes || etagOf(bytes) !== etag)) return failed(400, 'InvalidPart');
    const all = parts.map(({ bytes }) => bytes ?? Buffer.alloc(0));
    if (all.slice(0, -1).some(({ length }) => length < SMALLEST_PART)) return failed(400, 'EntityTooSmall');
    objects.set(key, Buffer.concat(all));
    uploads.delete(id);
    return xml('CompleteMultipartUploadResult', tag('Bucket', bucket) + tag('Key', key));
  },
  'DELETE upload': ({ uploads }, { query }) =>
    uploads.delete(String(query.get('uploadId'))) ? { status: 204 } : failed(404, 'NoSuchUpload'),
  'GET list': ({ objects }, { query }) => {
    const keys = [...objects.keys()].filter((key) => key.startsWith(query.get('prefix') ?? '')).sort();
    const most = Number(query.get('max-keys') ?? 1000);
    const contents = keys.slice(0, most).map((key) => tag('Contents', tag('Key', key)));
    return xml('ListBucketResult', contents.join('') + tag('IsTruncated', String(keys.length > most)));
  },
  'GET uploads': ({ uploads }, { query }) => {
    const begun = [...uploads].filter(([, { key }]) => key.startsWith(query.get('prefix') ?? ''));
    const listed = begun.map(([id, { key, initiated }]) =>
      tag('Upload', tag('Key', key) + tag('UploadId', id) + tag('Initiated', initiated.toISOString())),
    );
    return xml('ListMultipartUploadsResult', listed.join('') + tag('IsTruncated', 'false'));
  },
};

const SMALLEST_PART = 5 * 1024 * 1024;

const partOf = (bytes: Buffer, range: string | undefined): Reply => {
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? [];
  if (from === undefined) return { status: 200, body: bytes, headers: { etag: etagOf(bytes) } };
  const start = Number(from);
  const end = Math.min(to ? Number(to) : Infinity, bytes.length - 1);
  if (start > end) return failed(416, 'InvalidRange');
  const headers = { 'content-range': `bytes ${start}-${end}/${bytes.length}` };
  return { status: 206, headers, body: bytes.subarray(start, end + 1) };
};

const send = (response: ServerResponse, reply: Reply, bodiless: boolean, cut: boolean): void => {
  const { status, headers, body = '' } = reply;
  const bytes = Buffer.from(body);
  response.writeHead(status, bodiless ? headers : { 'content-length': bytes.length, ...headers });
  if (!cut) return void response.end(bodiless ? undefined : bytes);
  response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
};

const etagOf = (bytes: Buffer): string => `"${createHash('md5').update(bytes).digest('hex')}"`;

const tag = (name: string, inner: string): string => `<${name}>${inner}</${name}>`;
const xml = (name: string, inner: string, status = 200): Reply => ({
  status,
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0" encoding="UTF-8"?>${tag(name, inner)}`,
});
const failed = (status: number, code: string): Reply =>
  xml('Error', tag('Code', code) + tag('Message', `The stand-in says ${code}.`), status);
