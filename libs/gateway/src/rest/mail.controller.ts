import { createHash } from 'node:crypto';
import { finished } from 'node:stream/promises';
import { Controller, Inject, Post, Req, Res } from '@nestjs/common';
import { CodedError, type Identity, requireScope } from '@postmaster/contracts';
import type { Request } from 'express';
import type { Readable } from 'node:stream';
import { FRONT, type Front, identify } from '../front.js';
import type { Answer } from '../http/locals.js';
import { readMessageId } from '../mail/read-message-id.js';
import { signedBody } from '../mail/signed-body.js';
import type { UploadFields } from '../document-bytes.js';
import { parseInput } from './parse-input.js';
import { readUpload } from './read-upload.js';
import { UploadForm } from './shapes.js';
import { uploaded } from './take-upload.js';
import { idempotencyKeyIn, printOf, type Write, writeOnce } from './write-once.js';
import { sendWritten } from './written.js';

/** A form's own lines and fields around a mail. */
const FORM_BYTES = 1024 * 1024;

@Controller('api/v1')
export class MailController {
  constructor(@Inject(FRONT) private readonly front: Front) {}

  /**
   * A mail from a mail server's webhook. The key says whose it is, the signature that the mail is what was sent; a mail
   * that comes again is known by its Message-ID and does no work.
   */
  @Post('mail')
  async receive(@Req() req: Request, @Res() res: Answer): Promise<void> {
    const identity = await identify(this.front, req, res);
    requireScope(identity, 'write');
    const { mailWebhookSecret: secret, maxDocumentBytes } = this.front.config;
    if (secret === undefined)
      throw new CodedError('FORBIDDEN', 'Mails are not taken in here: MAIL_WEBHOOK_SECRET is not set.', {
        next: 'Set MAIL_WEBHOOK_SECRET where the gateway runs, and sign with it.',
      });
    const isForm = /^multipart\/form-data/i.test(req.headers['content-type'] ?? '');
    const maxBytes = maxDocumentBytes + (isForm ? FORM_BYTES : 0);
    const signed = signedBody(req.headers, { secret, now: new Date(), maxBytes });
    req.on('error', (error) => signed.destroy(error)).once('close', () => req.complete || signed.destroy(brokenOff()));
    req.pipe(signed);
    signed.on('error', () => req.unpipe(signed).resume());
    try {
      const write = this.writeOf(identity, req, isForm ? this.fromForm(req, signed) : fromBody(req, signed));
      sendWritten(res, await writeOnce(this.front, identity, req, res, write));
    } catch (error) {
      throw signed.errored ?? error; // what reads a failed body fails in its own way
    }
  }

  /** The same mail is one of the same fields and bytes, however it is packed and signed. */
  private writeOf(identity: Identity, req: Request, from: MailSource): Write {
    const printed = ({ fields, digest }: Came<unknown>) => printOf(req, [fields, digest]);
    return {
      act: async () => {
        const came = await from((stream, fields) => this.take(identity, stream, fields));
        return { written: { status: 202, location: came.value.links.status, body: came.value }, print: printed(came) };
      },
      read: async () => printed(await from((stream) => finished(stream.resume()))),
    };
  }

  private fromForm(req: Request, signed: Readable): MailSource {
    const form = Object.assign(signed, { headers: req.headers });
    const digests = idempotencyKeyIn(req) !== undefined;
    const limits = { maxFileBytes: this.front.config.maxDocumentBytes, maxFiles: 1, digests };
    return async (take) => {
      let fields: UploadFields = {};
      const [taken] = await readUpload(form, limits, (part) => {
        fields = parseInput(UploadForm, part.fields);
        return take(part.stream, fields);
      });
      if (taken && 'value' in taken) return { value: taken.value, fields, digest: taken.digest };
      throw taken?.error;
    };
  }

  private async take(identity: Identity, stream: Readable, fields: UploadFields) {
    const { messageId, mail } = await readMessageId(stream);
    const identified = { ...fields, sourceType: 'mail', ...(messageId !== null && { sourceId: messageId }) };
    const given = { stream: mail, name: 'mail.eml', declaredType: 'message/rfc822', fields: identified };
    return uploaded('mail.eml', await this.front.uploads.accept(identity, given));
  }
}

interface Came<T> {
  value: T;
  fields: UploadFields;
  /** SHA-256 of the mail's bytes, where an Idempotency-Key came with it. */
  digest?: string;
}

/** Hands the mail on while it comes in. */
type MailSource = <T>(take: (stream: Readable, fields: UploadFields) => Promise<T>) => Promise<Came<T>>;

const fromBody = (req: Request, signed: Readable): MailSource => {
  const hash = idempotencyKeyIn(req) === undefined ? undefined : createHash('sha256');
  if (hash) req.on('data', (chunk: Buffer) => hash.update(chunk));
  return async (take) => ({ value: await take(signed, {}), fields: {}, digest: hash?.digest('hex') });
};

const brokenOff = (): CodedError => new CodedError('UPLOAD_BROKEN', 'The mail ended before its end.');
