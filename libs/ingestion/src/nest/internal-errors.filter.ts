import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import { CodedError } from '@postmaster/contracts';
import { requestIdOf } from './internal-call.js';

/** How a failure goes back to the gateway: with its code and all its facts, or masked. */
@Catch()
export class InternalErrors implements ExceptionFilter<unknown> {
  private readonly log = new Logger('internal');

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const [req, res] = [http.getRequest<IncomingMessage>(), http.getResponse<ServerResponse>()];
    if (!(thrown instanceof CodedError)) this.log.error(causeOf(thrown, requestIdOf(req)));
    req.resume(); // what still comes in is let go: unread, it would hold up the answer or cut it off
    if (res.headersSent || res.destroyed) return void res.destroy(); // half an answer must not look whole
    const error =
      thrown instanceof CodedError ? thrown : new CodedError('INTERNAL', 'Something unexpected went wrong.');
    const { code, message, next, field, retryAfter } = error;
    res.writeHead(error.status, { 'content-type': 'application/json' });
    res.end(JSON.stringify({ code, message, next, field, retryAfter }));
  }
}

const causeOf = (thrown: unknown, requestId: string): Error =>
  new Error(`the internal request ${requestId} failed unexpectedly`, { cause: thrown });
