import { Controller, Get, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import type { Request } from 'express';
import { FRONT, type Front } from '../front.js';
import type { Answer } from '../http/locals.js';
import { parseInput } from './parse-input.js';
import { JUDGE, JUDGE_ANSWER, SIMILAR, SUMMARIZE } from './quality-operations.js';
import { JudgeBody, SimilarQuery, SummaryBody } from './quality-shapes.js';
import { flat, type Hit } from './questions.controller.js';
import { readJson } from './read-json.js';
import { run } from './run.js';

/** What is asked of paragraphs and answers that were found before. */
@Controller('api/v1')
export class QualityController {
  constructor(@Inject(FRONT) private readonly front: Front) {}

  @Get('paragraphs/:id/similar')
  async similar(@Req() req: Request, @Res() res: Answer): Promise<void> {
    const { n } = parseInput(SimilarQuery, req.query);
    const { data, errors } = await run(this.front, req, res, SIMILAR, { paragraph: String(req.params.id), first: n });
    const { hits, ...rest } = data.similar as Record<string, unknown> & { hits: Hit[] };
    res.json({ paragraphs: hits.map(flat), ...rest, errors });
  }

  @Post('judge')
  @HttpCode(200)
  async judge(@Req() req: Request, @Res() res: Answer): Promise<void> {
    await readJson(this.front.config.maxJsonBytes, req, res);
    const asked = parseInput(JudgeBody, req.body);
    const { data } = await run(this.front, req, res, asked.paragraph === undefined ? JUDGE_ANSWER : JUDGE, asked);
    res.json(data.judgement);
  }

  @Post('summary')
  @HttpCode(200)
  async summary(@Req() req: Request, @Res() res: Answer): Promise<void> {
    await readJson(this.front.config.maxJsonBytes, req, res);
    const { data, errors } = await run(this.front, req, res, SUMMARIZE, parseInput(SummaryBody, req.body));
    res.json({ ...(data.summary as Record<string, unknown>), errors });
  }
}
