import { once } from 'node:events';
import { Controller, Get, Inject, Post, Req, Res } from '@nestjs/common';
import { exportFeedback, failureOf, type FeedbackForm, type FeedbackLine, type Identity } from '@postmaster/contracts';
import type { Request } from 'express';
import { FRONT, type Front, identify } from '../front.js';
import type { Answer } from '../http/locals.js';
import { stopping } from '../http/server-sent-events.js';
import { FeedbackBody, FeedbackExportQuery } from './feedback-shapes.js';
import { GIVE_FEEDBACK } from './operations.js';
import { parseInput } from './parse-input.js';
import { readJson } from './read-json.js';
import { notRefused, run } from './run.js';
import { answerOnce } from './write-once.js';

@Controller('api/v1/feedback')
export class FeedbackController {
  constructor(@Inject(FRONT) private readonly front: Front) {}

  @Post()
  async give(@Req() req: Request, @Res() res: Answer): Promise<void> {
    const identity = await identify(this.front, req, res);
    await readJson(this.front.config.maxJsonBytes, req, res);
    const input = parseInput(FeedbackBody, req.body);
    await answerOnce(this.front, identity, req, res, 201, async () => {
      const { data } = await run(this.front, req, res, GIVE_FEEDBACK, { input });
      const { __typename, ...given } = notRefused(data.giveFeedback);
      return given;
    });
  }

  /** Lines of JSON as they come; what ends them early is a line, too. What is refused at once is thrown. */
  @Get('export')
  async export(@Req() req: Request, @Res() res: Answer): Promise<void> {
    const { as } = parseInput(FeedbackExportQuery, req.query);
    const identity = await identify(this.front, req, res);
    const lines = exported(this.front, identity, as, res.locals.signal);
    const first = await lines.next();
    res.status(200).setHeader('content-type', 'application/x-ndjson; charset=utf-8');
    res.setHeader('cache-control', 'no-store');
    const { ending } = res.locals;
    const write = async (line: object): Promise<void> => {
      if (!res.write(`${JSON.stringify(line)}\n`)) await once(res, 'drain', { signal: ending }).catch(() => {});
    };
    try {
      if (!first.done) await write(first.value);
      for await (const line of lines) {
        if (ending.aborted) throw stopping();
        if (res.destroyed) break;
        await write(line);
      }
    } catch (error) {
      if (!res.locals.signal.aborted) await write({ kind: 'error', ...failureOf(error) });
    } finally {
      res.end();
    }
  }
}

/** All pages, each asked for with an identity that is new: one lives for a minute. A paragraph comes once. */
async function* exported(
  { seal, requests }: Front,
  identity: Identity,
  as: FeedbackForm,
  signal: AbortSignal,
): AsyncGenerator<Exclude<FeedbackLine, { kind: 'more' }>, void, undefined> {
  const told = new Set<string>();
  let after: string | undefined;
  do {
    const page = requests.stream(exportFeedback, await seal.sign(identity), { as, after }, signal);
    after = undefined;
    for await (const line of page) {
      if (line.kind === 'more') after = line.after;
      else if (!('id' in line)) yield line;
      else if (!told.has(`${line.kind} ${line.id}`)) {
        told.add(`${line.kind} ${line.id}`);
        yield line;
      }
    }
  } while (after !== undefined);
}
