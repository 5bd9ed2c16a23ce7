import { Controller, Delete, Get, Inject, Post, Req, Res } from '@nestjs/common';
import { CodedError, failureOf, requireScope } from '@postmaster/contracts';
import type { Request } from 'express';
import type { Uploads } from '../document-bytes.js';
import { FRONT, type Front, identify } from '../front.js';
import type { Answer } from '../http/locals.js';
import { sendEvents } from '../http/server-sent-events.js';
import { followEvents } from './follow-events.js';
import { DELETE_DOCUMENT, GET_DOCUMENT, GET_JOB, LIST_DOCUMENTS, RETRY_DOCUMENT } from './operations.js';
import { parseInput } from './parse-input.js';
import { readUpload } from './read-upload.js';
import { notRefused, run } from './run.js';
import { DocumentsQuery, UploadForm } from './shapes.js';

export const linksOf = (id: string) => {
  const self = `/api/v1/documents/${encodeURIComponent(id)}`;
  return { status: self, events: `${self}/events`, text: `${self}/text`, original: `${self}/original` };
};

/** What an upload is answered with. */
export const accepted = (name: string, { document, version, unchanged }: Awaited<ReturnType<Uploads['accept']>>) => ({
  name,
  id: document,
  version,
  unchanged,
  links: linksOf(document),
});

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
    const { maxDocumentBytes, maxFilesPerUpload } = this.front.config;
    const limits = { maxFileBytes: maxDocumentBytes, maxFiles: maxFilesPerUpload };
    const taken = await readUpload(req, limits, async ({ fields, ...file }) =>
      this.front.uploads.accept(identity, { ...file, fields: parseInput(UploadForm, fields) }),
    );
    const failures = taken.flatMap((file) => ('error' in file ? [file.error] : []));
    for (const error of failures)
      if (!(error instanceof CodedError))
        this.front.log.error({ requestId: res.locals.requestId, err: error }, 'an upload failed');
    const documents = taken.map((file) =>
      'error' in file ? { name: file.name, failure: failureOf(file.error) } : accepted(file.name, file.value),
    );
    const first = documents.find((document) => 'id' in document);
    if (!first) throw failures[0];
    res.status(202).location(first.links.status);
    res.json({ ...first, documents });
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
    await this.existing(req, res);
    const { data } = await run(this.front, req, res, mutation, { id: idOf(req) });
    const { __typename: _, ...job } = notRefused(data.job);
    res
      .status(202)
      .location(`/api/v1/jobs/${encodeURIComponent(String(job.id))}`)
      .json(job);
  }
}
