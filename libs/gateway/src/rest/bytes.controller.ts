import { pipeline } from 'node:stream/promises';
import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { CodedError, requireScope } from '@postmaster/contracts';
import type { Request } from 'express';
import { FRONT, type Front, identify } from '../front.js';
import type { Answer } from '../http/locals.js';
import { attachmentNamed, rangeOf } from './file-headers.js';

/** A stranger's file is never run by the browser that shows it. */
const SANDBOX = "default-src 'none'; sandbox";

@Controller('api/v1/documents/:id')
export class BytesController {
  constructor(@Inject(FRONT) private readonly front: Front) {}

  @Get('text')
  async text(@Req() req: Request, @Res() res: Answer): Promise<void> {
    const identity = await identify(this.front, req, res);
    requireScope(identity, 'read');
    const found = await this.front.bytes.text(identity, String(req.params.id));
    if (!found) throw notThere(req);
    res.setHeader('content-security-policy', SANDBOX);
    res.setHeader('cache-control', 'private, no-cache');
    res.setHeader('etag', `"${String(req.params.id)}-${found.version}"`);
    res.type('text/plain; charset=utf-8').send(found.text);
  }

  @Get('original')
  async original(@Req() req: Request, @Res() res: Answer): Promise<void> {
    const identity = await identify(this.front, req, res);
    requireScope(identity, 'read');
    const found = await this.front.bytes.original(identity, String(req.params.id));
    if (!found) throw notThere(req);
    res.setHeader('content-security-policy', SANDBOX);
    res.setHeader('cache-control', 'private, no-cache');
    res.setHeader('etag', `"${String(req.params.id)}-${found.version}-original"`);
    res.setHeader('accept-ranges', 'bytes');
    res.setHeader('content-type', found.contentType);
    res.setHeader('content-disposition', attachmentNamed(found.name));
    const range = rangeOf(req.header('range'), found.size);
    if (range === 'unsatisfiable') {
      res.status(416).setHeader('content-range', `bytes */${found.size}`);
      return void res.end();
    }
    const length = range ? range.end - range.start + 1 : found.size;
    res.status(range ? 206 : 200).setHeader('content-length', String(length));
    if (range) res.setHeader('content-range', `bytes ${range.start}-${range.end}/${found.size}`);
    if (req.method === 'HEAD' || length === 0) return void res.end();
    await pipeline(found.read(range), res, { signal: res.locals.signal }).catch((error: unknown) => {
      if (!res.locals.signal.aborted) throw error;
    });
  }
}

const notThere = (req: Request) =>
  new CodedError('NOT_FOUND', `There is no document "${String(req.params.id)}", or nothing of it to read yet.`);
