import { Controller, Delete, Get, Inject, Post, Req, Res } from '@nestjs/common';
import { CodedError, requireScope } from '@postmaster/contracts';
import type { Request } from 'express';
import { FRONT, type Front, identify } from '../front.js';
import type { Answer } from '../http/locals.js';
import { sendEvents } from '../http/server-sent-events.js';
import { followEvents } from './follow-events.js';
import { DELETE_DOCUMENT, GET_DOCUMENT, GET_JOB, LIST_DOCUMENTS, RETRY_DOCUMENT } from './operations.js';
import { parseInput } from './parse-input.js';
import { notRefused, run } from './run.js';
import { DocumentsQuery, UploadForm } from './shapes.js';
import { linksOf, takeUpload } from './take-upload.js';
import { sendOnce } from './write-once.js';
import { sendWritten } from './written.js';

const withLinks = (document: Record<string, unknown>) => ({ ...document, links: linksOf(String(document.id)) });

const idOf = (req: Request): string => String(req.params.id);

@Controller('api/v1')
export class DocumentsController {
  constructor(@Inject(FRONT) private readonly front: Front) {}

  /** Files are handed on while they come in; the answer tells of each. */
  @Post('documents')
  async upload(@Req() req: Request, @Res() res: Answer): Promise<void> {
    const identity = await identify(this.front, req, res);
    requireScope(identity, 'write');
    const fieldsOf = (form: Readonly<Record<string, string>>) => parseInput(UploadForm, form);
    const way = { maxFiles: this.front.config.maxFilesPerUpload, fieldsOf };
    sendWritten(res, await takeUpload(this.front, identity, req, res, way));
  }

  @Get('documents')
  async list(@Req() req: Request, @Res() res: Answer): Promise<void> {
    const { first, after, orderBy, ...filter } = parseInput(DocumentsQuery, req.query);
    const { data } = await run(this.front, req, res, LIST_DOCUMENTS, { first, after, orderBy, filter });
    const { nodes, totalCount, pageInfo } = data.documents as {
      nodes: Record<string, unknown>[];
      totalCount: number;
      pageInfo: { hasNextPage: boolean; endCursor: string | null };
    };
    const next = pageInfo.hasNextPage ? pageInfo.endCursor : null;
    res.json({ documents: nodes.map(withLinks), total: totalCount, next });
  }

  @Get('documents/:id')
  async read(@Req() req: Request, @Res() res: Answer): Promise<void> {
    res.json(withLinks(await this.existing(req, res)));
  }

  @Delete('documents/:id')
  async remove(@Req() req: Request, @Res() res: Answer): Promise<void> {
    await this.startJob(req, res, DELETE_DOCUMENT);
  }

  @Post('documents/:id/retry')
  async retry(@Req() req: Request, @Res() res: Answer): Promise<void> {
    await this.startJob(req, res, RETRY_DOCUMENT);
  }

  @Get('documents/:id/events')
  async follow(@Req() req: Request, @Res() res: Answer): Promise<void> {
    await sendEvents(res, await followEvents(this.front, req, res, idOf(req)));
  }

  @Get('jobs/:id')
  async job(@Req() req: Request, @Res() res: Answer): Promise<void> {
    const { data } = await run(this.front, req, res, GET_JOB, { id: idOf(req) });
    if (!data.job) throw new CodedError('NOT_FOUND', `There is no job "${idOf(req)}".`);
    res.json(data.job);
  }

  private async existing(req: Request, res: Answer): Promise<Record<string, unknown>> {
    const { data } = await run(this.front, req, res, GET_DOCUMENT, { id: idOf(req) });
    if (!data.document) throw new CodedError('NOT_FOUND', `There is no document "${idOf(req)}".`);
    return data.document as Record<string, unknown>; // the operation selects an object
  }

  private async startJob(req: Request, res: Answer, mutation: string): Promise<void> {
    const identity = await identify(this.front, req, res);
    await sendOnce(this.front, identity, req, res, null, async () => {
      await this.existing(req, res);
      const { data } = await run(this.front, req, res, mutation, { id: idOf(req) });
      const { __typename: _, ...job } = notRefused(data.job);
      return { status: 202, location: `/api/v1/jobs/${encodeURIComponent(String(job.id))}`, body: job };
    });
  }
}
