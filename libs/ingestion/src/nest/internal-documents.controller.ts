import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { Controller, Get, Inject, type OnModuleInit, Param, Post, Req, Res, UseFilters } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { CodedError } from '@postmaster/contracts';
import { internalCall } from './internal-call.js';
import { InternalErrors } from './internal-errors.filter.js';
import { type IngestionGraphPorts, PORTS } from './ports.js';
import { readGiven } from './read-given.js';

/** Of a whole request; Node's own limit would cut a large file on a slow line after five minutes. */
const UPLOAD_WITHIN_MS = 3_600_000;
/** Within an upload; a gateway that died without a word holds nothing longer. */
const IDLE_MS = 120_000;

const ROUTE = 'internal/documents';

/** Bytes for a gateway in another process, beside the subgraph: what GraphQL is no way for. */
@Controller(ROUTE)
@UseFilters(InternalErrors)
export class InternalDocumentsController implements OnModuleInit {
  constructor(
    @Inject(PORTS) private readonly ports: IngestionGraphPorts,
    @Inject(HttpAdapterHost) private readonly host: HttpAdapterHost,
  ) {}

  onModuleInit(): void {
    const server = this.host.httpAdapter.getHttpServer() as Server; // platform-express
    server.requestTimeout = UPLOAD_WITHIN_MS;
  }

  /** A line of JSON, then the file; 201 with the document. Kept only if the request came in to its end. */
  @Post()
  accept(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    return internalCall(this.ports.seal, { req, res, route: ROUTE, scope: 'write' }, async ({ tenant }) => {
      const { given, bytes } = await readGiven(req, IDLE_MS);
      sendJson(res, 201, await this.ports.accept(tenant, given, bytes));
    });
  }

  /** The plain text, and in `x-postmaster-version` the version that it is of. */
  @Get(':id/text')
  text(@Req() req: IncomingMessage, @Res() res: ServerResponse, @Param('id') id: string): Promise<void> {
    return internalCall(
      this.ports.seal,
      { req, res, route: `${ROUTE}/:id/text`, scope: 'read' },
      async ({ tenant }) => {
        const found = await this.ports.reads.plainText(tenant, id);
        if (!found) throw notThere(id);
        const bytes = Buffer.from(found.text);
        res.writeHead(200, {
          'content-type': 'text/plain; charset=utf-8',
          'content-length': bytes.length,
          'x-postmaster-version': found.version,
        });
        res.end(bytes);
      },
    );
  }

  /** What is known of the original before any of it is read. */
  @Get(':id/original/facts')
  facts(@Req() req: IncomingMessage, @Res() res: ServerResponse, @Param('id') id: string): Promise<void> {
    const route = `${ROUTE}/:id/original/facts`;
    return internalCall(this.ports.seal, { req, res, route, scope: 'read' }, async ({ tenant }) => {
      const found = await this.ports.reads.original(tenant, id);
      if (!found) throw notThere(id);
      const { source: _, ...facts } = found;
      sendJson(res, 200, facts);
    });
  }

  /** The bytes that `if-match` names by their hash, or the range of them; CONFLICT where they have changed since. */
  @Get(':id/original')
  original(@Req() req: IncomingMessage, @Res() res: ServerResponse, @Param('id') id: string): Promise<void> {
    const route = `${ROUTE}/:id/original`;
    return internalCall(this.ports.seal, { req, res, route, scope: 'read' }, async ({ tenant }) => {
      const found = await this.ports.reads.original(tenant, id);
      if (!found) throw notThere(id);
      const wanted = req.headers['if-match'];
      if (wanted !== undefined && wanted !== `"${found.hash}"`)
        throw new CodedError('CONFLICT', `A new version of the document "${id}" came in meanwhile.`, { retryAfter: 1 });
      const range = rangeOf(req.headers.range, found.size);
      const bytes = await this.ports.openOriginal(tenant, found, range);
      const { start, end } = range ?? { start: 0, end: found.size - 1 };
      res.writeHead(range ? 206 : 200, {
        'content-type': 'application/octet-stream',
        'content-length': end - start + 1,
        ...(range ? { 'content-range': `bytes ${start}-${end}/${found.size}` } : {}),
      });
      await pipeline(bytes, res).catch((error: unknown) => {
        if (error instanceof CodedError || !res.destroyed || !isGone(error)) throw error;
      });
    });
  }
}

const sendJson = (res: ServerResponse, status: number, body: object): void => {
  res.writeHead(status, { 'content-type': 'application/json' });
  res.end(JSON.stringify(body));
};

/** The reader left before the end, as readers may. */
const isGone = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException | undefined)?.code === 'ERR_STREAM_PREMATURE_CLOSE';

const notThere = (id: string): CodedError =>
  new CodedError('NOT_FOUND', `There is no document "${id}", or nothing of it to read yet.`);

/** The gateway has worked the range out; it lies within the bytes. */
const rangeOf = (header: string | undefined, size: number): { start: number; end: number } | undefined => {
  if (header === undefined) return undefined;
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(header) ?? [];
  const range = { start: Number(start), end: Number(end) };
  if (start !== undefined && range.start <= range.end && range.end < size) return range;
  throw new CodedError('INPUT_INVALID', `The range "${header}" does not lie within ${size} bytes.`);
};
