import { Controller, Inject, Post, Req, Res } from '@nestjs/common';
import { CodedError, compareModels, type Identity, requireScope } from '@postmaster/contracts';
import type { Request } from 'express';
import type { UploadFields } from '../document-bytes.js';
import { FRONT, type Front, identify } from '../front.js';
import type { Answer } from '../http/locals.js';
import { INGEST_URL, INIT } from './operations.js';
import { type Ingest, ingestOf, metadataFieldsOf, nestedOf, tenantInputOf } from './partner-shapes.js';
import { readJson } from './read-json.js';
import { readUpload } from './read-upload.js';
import { notRefused, run } from './run.js';
import { type AcceptedDocument, takeUpload } from './take-upload.js';
import { sendOnce } from './write-once.js';
import { sendWritten } from './written.js';

/** The addresses that partners' software calls: other forms of the same use cases. */
@Controller()
export class PartnersController {
  constructor(@Inject(FRONT) private readonly front: Front) {}

  @Post('api/v1/ingest')
  async ingest(@Req() req: Request, @Res() res: Answer): Promise<void> {
    const identity = await identify(this.front, req, res);
    requireScope(identity, 'write');
    const way = {
      maxFiles: 1,
      fieldsOf: async (form: Readonly<Record<string, string>>): Promise<UploadFields> => {
        const { fields, address } = await this.agreed(identity, ingestOf(form));
        if (address === undefined) return fields;
        throw new CodedError('INPUT_INVALID', '"document" is given twice: as an address and as a file.', {
          field: 'document',
        });
      },
      takeNone: async (form: Readonly<Record<string, string>>) =>
        this.fetched(req, res, await this.agreed(identity, ingestOf(form))),
    };
    sendWritten(res, await takeUpload(this.front, identity, req, res, way));
  }

  /** The operator's: makes a tenant with its key and its choice of models. */
  @Post('api/v1/init')
  async init(@Req() req: Request, @Res() res: Answer): Promise<void> {
    const identity = await identify(this.front, req, res);
    requireScope(identity, 'operator');
    const body = await this.bodyOf(req, res);
    await sendOnce(this.front, identity, req, res, body, async () => {
      const { data } = await run(this.front, req, res, INIT, { input: tenantInputOf(body) });
      const { __typename: _, ...made } = notRefused(data.made);
      return { status: 201, body: made };
    });
  }

  /** JSON, or a form whose names have brackets. */
  private async bodyOf(req: Request, res: Answer): Promise<unknown> {
    const limit = this.front.config.maxJsonBytes;
    if (!req.is('multipart/form-data')) {
      await readJson(limit, req, res);
      return req.body as unknown;
    }
    const refuse = (): Promise<never> =>
      Promise.reject(new CodedError('INPUT_INVALID', 'This form takes fields, and no file.'));
    const none = (form: Readonly<Record<string, string>>) => Promise.resolve(nestedOf(form));
    const [taken] = await readUpload(req, { maxFileBytes: limit, maxFiles: 1 }, refuse, none);
    if (taken && 'value' in taken) return taken.value;
    throw taken?.error;
  }

  @Post(['documents/upload', 'api/v1/documents/upload'])
  async upload(@Req() req: Request, @Res() res: Answer): Promise<void> {
    const identity = await identify(this.front, req, res);
    requireScope(identity, 'write');
    const way = { maxFiles: this.front.config.maxFilesPerUpload, fieldsOf: metadataFieldsOf };
    sendWritten(res, await takeUpload(this.front, identity, req, res, way));
  }

  /** Throws FORBIDDEN for another's tenant; ENCODER_MISMATCH, PROFILE_MISMATCH for other models than it has. */
  private async agreed(identity: Identity, ingest: Ingest): Promise<Ingest> {
    if (ingest.tenant !== identity.tenant)
      throw new CodedError('FORBIDDEN', `The key is not one of the tenant "${ingest.tenant}".`, {
        field: 'tenant_id',
        next: 'Use a key of that tenant, or leave out what is not yours.',
      });
    if (ingest.stated)
      await this.front.requests.ask(compareModels, await this.front.seal.sign(identity), ingest.stated);
    return ingest;
  }

  private async fetched(req: Request, res: Answer, { address, fields }: Ingest): Promise<AcceptedDocument> {
    if (address === undefined)
      throw new CodedError('INPUT_INVALID', '"document" is missing: a file, or the address of one.', {
        field: 'document',
      });
    const { data } = await run(this.front, req, res, INGEST_URL, { input: { ...fields, url: address } });
    const { document, version, unchanged } = notRefused(data.ingested) as {
      document: { id: string };
      version: number;
      unchanged: boolean;
    }; // as the operation selects
    return { document: document.id, version, unchanged };
  }
}
