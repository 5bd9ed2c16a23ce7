import { Controller, Delete, Get, Inject, Req, Res } from '@nestjs/common';
import { CodedError } from '@postmaster/contracts';
import type { Request } from 'express';
import { FRONT, type Front, identify } from '../front.js';
import type { Answer } from '../http/locals.js';
import { DELETE_DOCUMENTS, DELETE_TENANT, GET_RECEIPT, GET_TENANT_DELETION } from './operations.js';
import { parseInput } from './parse-input.js';
import { notRefused, run } from './run.js';
import { DeleteQuery } from './deletion-shapes.js';
import { sendOnce } from './write-once.js';

/** Many documents at once, tenants, and what is left of what was deleted. */
@Controller('api/v1')
export class DeletionsController {
  constructor(@Inject(FRONT) private readonly front: Front) {}

  @Delete('documents')
  async remove(@Req() req: Request, @Res() res: Answer): Promise<void> {
    const filter = parseInput(DeleteQuery, req.query);
    await this.begin(req, res, async () => {
      const { data } = await run(this.front, req, res, DELETE_DOCUMENTS, { filter });
      const { __typename: _, ...job } = notRefused(data.job);
      return { location: `/api/v1/jobs/${encodeURIComponent(String(job.id))}`, body: job };
    });
  }

  @Delete('tenants/:id')
  async removeTenant(@Req() req: Request, @Res() res: Answer): Promise<void> {
    await this.begin(req, res, async () => {
      const { data } = await run(this.front, req, res, DELETE_TENANT, { id: req.params.id });
      const { __typename: _, ...deletion } = notRefused(data.deletion);
      return { location: `/api/v1/tenants/${encodeURIComponent(String(deletion.tenant))}/deletion`, body: deletion };
    });
  }

  @Get('tenants/:id/deletion')
  async tenant(@Req() req: Request, @Res() res: Answer): Promise<void> {
    const id = String(req.params.id);
    const { data } = await run(this.front, req, res, GET_TENANT_DELETION, { id });
    if (!data.deletion)
      throw new CodedError('NOT_FOUND', `No tenant "${id}" was deleted within the last 8 days.`, {
        next: 'Check the id.',
      });
    res.json(data.deletion);
  }

  @Get('deletions/:id')
  async receipt(@Req() req: Request, @Res() res: Answer): Promise<void> {
    const id = String(req.params.id);
    const { data } = await run(this.front, req, res, GET_RECEIPT, { id });
    if (!data.receipt)
      throw new CodedError('NOT_FOUND', `Nothing of the id "${id}" was deleted, or it came again since.`, {
        next: 'Give the id of a document that was deleted, or of the job that deleted documents.',
      });
    res.json(data.receipt);
  }

  /** Once for its Idempotency-Key; it goes on after the answer, at `location`. */
  private async begin(
    req: Request,
    res: Answer,
    ask: () => Promise<{ location: string; body: unknown }>,
  ): Promise<void> {
    const identity = await identify(this.front, req, res);
    await sendOnce(this.front, identity, req, res, null, async () => ({ status: 202, ...(await ask()) }));
  }
}
