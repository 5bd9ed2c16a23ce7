import { Controller, Delete, Get, Inject, Post, Req, Res } from '@nestjs/common';
import { type Identity, requireRepair } from '@postmaster/contracts';
import type { Request } from 'express';
import { FRONT, type Front, identify } from '../front.js';
import type { Answer } from '../http/locals.js';
import { DeadLetterAddress, DeadLettersQuery, RetryDeadLettersBody } from './dead-letter-shapes.js';
import { dropDeadLetter, listDeadLetters, retryDeadLetters, showDeadLetter } from './dead-letters.js';
import { parseInput } from './parse-input.js';
import { readJson } from './read-json.js';
import { answerOnce } from './write-once.js';

/** What the services gave up: a tenant's, for its admins; all tenants', for the operator. */
@Controller('api/v1/dead-letters')
export class DeadLettersController {
  constructor(@Inject(FRONT) private readonly front: Front) {}

  @Get()
  async list(@Req() req: Request, @Res() res: Answer): Promise<void> {
    const identity = await this.repairer(req, res);
    const { service, first, after, ...filter } = parseInput(DeadLettersQuery, req.query);
    res.json(await listDeadLetters(this.front, identity, { service, filter, first, after }));
  }

  @Get(':service/:id')
  async show(@Req() req: Request, @Res() res: Answer): Promise<void> {
    const identity = await this.repairer(req, res);
    res.json(await showDeadLetter(this.front, identity, parseInput(DeadLetterAddress, req.params)));
  }

  @Post('retry')
  async retry(@Req() req: Request, @Res() res: Answer): Promise<void> {
    const identity = await this.repairer(req, res);
    await readJson(this.front.config.maxJsonBytes, req, res);
    const body = () => retryDeadLetters(this.front, identity, choiceIn(req.body));
    await answerOnce(this.front, identity, req, res, 200, body);
  }

  @Delete(':service/:id')
  async drop(@Req() req: Request, @Res() res: Answer): Promise<void> {
    const identity = await this.repairer(req, res);
    const body = () => dropDeadLetter(this.front, identity, parseInput(DeadLetterAddress, req.params));
    await answerOnce(this.front, identity, req, res, 200, body);
  }

  private async repairer(req: Request, res: Answer): Promise<Identity> {
    const identity = await identify(this.front, req, res);
    requireRepair(identity);
    return identity;
  }
}

const choiceIn = (body: unknown): Parameters<typeof retryDeadLetters>[2] => {
  const choice = parseInput(RetryDeadLettersBody, body);
  if ('filter' in choice) {
    const { service, ...filter } = choice.filter;
    return { service, filter };
  }
  return {
    addresses: choice.ids.map((address) => {
      const [service, id] = address.split('/');
      return parseInput(DeadLetterAddress, { service, id });
    }),
  };
};
