import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Log } from '@postmaster/service';
import type { Answer } from './locals.js';
import { sendProblem } from './problem.js';

/** The one place where REST failures get their form. */
@Catch()
export class ProblemFilter implements ExceptionFilter<unknown> {
  constructor(private readonly log: Log) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const res = host.switchToHttp().getResponse<Answer>();
    if (!res.locals.signal.aborted || !res.headersSent) sendProblem(res, error, this.log);
  }
}
