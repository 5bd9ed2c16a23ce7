import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { CodedError } from '@postmaster/contracts';
import type { HealthAnswer } from '@postmaster/service';
import type { Request } from 'express';
import type { Answer } from './locals.js';

export const HEALTH = Symbol('health');

@Controller()
export class HealthController {
  constructor(@Inject(HEALTH) private readonly answer: (path: string) => Promise<HealthAnswer | undefined>) {}

  @Get(['health/live', 'health/ready', 'metrics'])
  async health(@Req() req: Request, @Res() res: Answer): Promise<void> {
    const found = await this.answer(req.path);
    if (!found) throw new CodedError('NOT_FOUND', 'There is nothing at this address.');
    res.status(found.status).type(found.contentType).send(found.body);
  }
}
