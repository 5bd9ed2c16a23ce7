import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export interface S3Key {
  accessKeyId: string;
  secretAccessKey: string;
}

const sha256 = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

const FORM =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;

/** What S3 would say of a request's signature (Signature Version 4); undefined where it is right. */
export const signatureFault = (request: IncomingMessage, body: Buffer, key: S3Key): string | undefined => {
  const given = FORM.exec(request.headers.authorization ?? '');
  if (!given) return 'AccessDenied';
  const [, id, day, region, signed = '', signature = ''] = given;
  if (id !== key.accessKeyId) return 'InvalidAccessKeyId';
  const hash = String(request.headers['x-amz-content-sha256']);
  if (hash !== 'UNSIGNED-PAYLOAD' && hash !== sha256(body)) return 'XAmzContentSHA256Mismatch';
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], scope, sha256(canonical(request, signed, hash))];
  const dated = hmac(hmac(hmac(hmac(`AWS4${key.secretAccessKey}`, day ?? ''), region ?? ''), 's3'), 'aws4_request');
  const right = hmac(dated, text.join('\n'));
  return timingSafeEqual(right, Buffer.from(signature, 'hex')) ? undefined : 'SignatureDoesNotMatch';
};

const canonical = (request: IncomingMessage, signed: string, hash: string): string => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  const query = [...searchParams]
    .map(([name, value]) => `${strictly(name)}=${strictly(value)}`)
    .sort()
    .join('&');
  const headers = signed.split(';').map((name) => `${name}:${String(request.headers[name] ?? '').trim()}\n`);
  return [request.method, pathname, query, headers.join(''), signed, hash].join('\n');
};

/** encodeURIComponent leaves a few signs that RFC 3986 reserves. */
const strictly = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
