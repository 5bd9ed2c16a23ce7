import { Controller, Inject, Post, Req, Res } from '@nestjs/common';
import { CodedError, type Identity, requireScope } from '@postmaster/contracts';
import type { Request } from 'express';
import type { Readable } from 'node:stream';
import { FRONT, type Front, identify } from '../front.js';
import type { Answer } from '../http/locals.js';
import { readMessageId } from '../mail/read-message-id.js';
import { signedBody } from '../mail/signed-body.js';
import type { UploadFields } from '../document-bytes.js';
import { accepted } from './documents.controller.js';
import { parseInput } from './parse-input.js';
import { readUpload } from './read-upload.js';
import { UploadForm } from './shapes.js';

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
      const taken = isForm ? await this.fromForm(identity, req, signed) : await this.take(identity, signed, {});
      res.status(202).location(taken.links.status).json(taken);
    } catch (error) {
      throw signed.errored ?? error; // what reads a failed body fails in its own way
    }
  }

  private async fromForm(identity: Identity, req: Request, signed: Readable) {
    const form = Object.assign(signed, { headers: req.headers });
    const limits = { maxFileBytes: this.front.config.maxDocumentBytes, maxFiles: 1 };
    const [taken] = await readUpload(form, limits, ({ stream, fields }) =>
      this.take(identity, stream, parseInput(UploadForm, fields)),
    );
    if (taken && 'value' in taken) return taken.value;
    throw taken?.error;
  }

  private async take(identity: Identity, stream: Readable, fields: UploadFields) {
    const { messageId, mail } = await readMessageId(stream);
    const identified = { ...fields, sourceType: 'mail', ...(messageId !== null && { sourceId: messageId }) };
    const given = { stream: mail, name: 'mail.eml', declaredType: 'message/rfc822', fields: identified };
    return accepted('mail.eml', await this.front.uploads.accept(identity, given));
  }
}

const brokenOff = (): CodedError => new CodedError('UPLOAD_BROKEN', 'The mail ended before its end.');
