import { Controller, Delete, Inject, Post, Req, Res } from '@nestjs/common';
import {
  addEvaluationParagraphs,
  AskEvaluation,
  askEvaluation,
  BeginEvaluation,
  beginEvaluation,
  dropEvaluation,
  type EvaluatedQuestion,
  type Identity,
  requireScope,
} from '@postmaster/contracts';
import type { Request } from 'express';
import { FRONT, type Front, identify } from '../front.js';
import type { Answer } from '../http/locals.js';
import { AddParagraphsBody, EvaluationAddress } from './evaluation-shapes.js';
import { parseInput } from './parse-input.js';
import { readJson } from './read-json.js';
import { answerOnce } from './write-once.js';

/** Measuring on paragraphs and questions that are brought along: an index of their own, dropped at the end. */
@Controller('api/v1/evaluations')
export class EvaluationsController {
  constructor(@Inject(FRONT) private readonly front: Front) {}

  @Post()
  async begin(@Req() req: Request, @Res() res: Answer): Promise<void> {
    const identity = await this.admin(req, res);
    const input = parseInput(BeginEvaluation, (await this.body(req, res)) ?? {});
    await answerOnce(this.front, identity, req, res, 201, async () =>
      this.front.requests.ask(beginEvaluation, await this.front.seal.sign(identity), input),
    );
  }

  @Post(':id/paragraphs')
  async add(@Req() req: Request, @Res() res: Answer): Promise<void> {
    const identity = await this.admin(req, res);
    const { id } = parseInput(EvaluationAddress, req.params);
    const { paragraphs } = parseInput(AddParagraphsBody, await this.body(req, res));
    await answerOnce(this.front, identity, req, res, 200, async () =>
      this.front.requests.ask(addEvaluationParagraphs, await this.front.seal.sign(identity), { id, paragraphs }),
    );
  }

  @Post(':id/questions')
  async ask(@Req() req: Request, @Res() res: Answer): Promise<void> {
    const identity = await this.admin(req, res);
    const { id } = parseInput(EvaluationAddress, req.params);
    const asked = { ...parseInput(AskEvaluation, await this.body(req, res)), id };
    const token = await this.front.seal.sign(identity);
    const questions: EvaluatedQuestion[] = [];
    for await (const one of this.front.requests.stream(askEvaluation, token, asked, res.locals.signal))
      questions.push(one);
    res.status(200).json({ questions });
  }

  @Delete(':id')
  async drop(@Req() req: Request, @Res() res: Answer): Promise<void> {
    const identity = await this.admin(req, res);
    const address = parseInput(EvaluationAddress, req.params);
    await answerOnce(this.front, identity, req, res, 200, async () =>
      this.front.requests.ask(dropEvaluation, await this.front.seal.sign(identity), address),
    );
  }

  private async admin(req: Request, res: Answer): Promise<Identity> {
    const identity = await identify(this.front, req, res);
    requireScope(identity, 'admin');
    return identity;
  }

  private async body(req: Request, res: Answer): Promise<unknown> {
    await readJson(this.front.config.maxJsonBytes, req, res);
    return req.body;
  }
}
