import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Transform } from 'node:stream';
import { CodedError } from '@postmaster/contracts';

export const SIGNATURE_HEADER = 'x-postmaster-signature';
/** How far a sender's clock may be off, and how long a request that was overheard can be sent again. */
export const MAX_SKEW_MS = 5 * 60_000;

const SIGNATURE = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/;

/** What a sender puts into the header: the time in seconds and the HMAC-SHA256 of "<time>.<body>". */
export const signatureOf = (secret: string, seconds: number, body: Uint8Array): string =>
  `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex')}`;

/**
 * Passes a signed body on while it comes in, and fails with SIGNATURE_INVALID instead of ending where the signature is
 * not that of the bytes: whoever reads it to its end has what the sender sent. A header that is no signature, or is too
 * old, throws that at once; a body above `maxBytes` fails with TOO_LARGE.
 */
export const signedBody = (
  headers: IncomingHttpHeaders,
  { secret, now, maxBytes }: { secret: string; now: Date; maxBytes: number },
): Transform => {
  const [, seconds, given] = SIGNATURE.exec(String(headers[SIGNATURE_HEADER] ?? '')) ?? [];
  if (seconds === undefined || given === undefined)
    throw new CodedError(
      'SIGNATURE_INVALID',
      `The header ${SIGNATURE_HEADER} is not of the form "t=<seconds>,v1=<hex>".`,
    );
  if (Math.abs(now.getTime() - Number(seconds) * 1000) > MAX_SKEW_MS)
    throw new CodedError('SIGNATURE_INVALID', 'The signature is more than five minutes away from the time here.');
  const hmac = createHmac('sha256', secret).update(`${seconds}.`);
  let bytes = 0;
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) return done(new CodedError('TOO_LARGE', `The mail is larger than ${maxBytes} bytes.`));
      hmac.update(chunk);
      done(null, chunk);
    },
    flush: (done) =>
      timingSafeEqual(hmac.digest(), Buffer.from(given, 'hex'))
        ? done()
        : done(new CodedError('SIGNATURE_INVALID', 'The signature is not that of the mail that came.')),
  });
};
