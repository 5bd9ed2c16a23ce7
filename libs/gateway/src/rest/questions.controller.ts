import { Controller, Get, Inject, Post, Req, Res } from '@nestjs/common';
import type { Request } from 'express';
import type { z } from 'zod';
import { FRONT, type Front } from '../front.js';
import type { Answer } from '../http/locals.js';
import { sendEvents } from '../http/server-sent-events.js';
import { answerEvents } from './answer-events.js';
import { ASK, SEARCH } from './operations.js';
import { parseInput } from './parse-input.js';
import { readJson } from './read-json.js';
import { run } from './run.js';
import { AskBody, QuestionQuery } from './shapes.js';

@Controller('api/v1')
export class QuestionsController {
  constructor(@Inject(FRONT) private readonly front: Front) {}

  @Get('query')
  async query(@Req() req: Request, @Res() res: Answer): Promise<void> {
    const asked = parseInput(QuestionQuery, req.query);
    const { data, errors } = await run(this.front, req, res, ASK, variablesOf(asked));
    const { text, hits, ...rest } = data.ask as Record<string, unknown> & { text: string; hits: Hit[] };
    const paragraphs = hits.map(flat);
    const scores = hits.map(({ score }) => score);
    res.json({ query: asked.query, answer: text, ...rest, paragraphs, scores, errors });
  }

  @Get('search')
  async search(@Req() req: Request, @Res() res: Answer): Promise<void> {
    const asked = parseInput(QuestionQuery, req.query);
    const { data, errors } = await run(this.front, req, res, SEARCH, variablesOf(asked));
    const { hits, groups, ...rest } = data.search as Found;
    const grouped = groups?.map(({ hits: own, ...group }) => ({
      ...group,
      paragraphs: own.map(({ paragraph }) => paragraph.id),
    }));
    res.json({ query: asked.query, ...rest, paragraphs: hits.map(flat), groups: grouped ?? null, errors });
  }

  @Post('ask')
  async ask(@Req() req: Request, @Res() res: Answer): Promise<void> {
    await readJson(this.front.config.maxJsonBytes, req, res);
    const { query, n, filter, options } = parseInput(AskBody, req.body);
    await sendEvents(res, await answerEvents(this.front, req, res, { query, first: n, filter, options }));
  }
}

export interface Hit {
  paragraph: Record<string, unknown>;
  score: number;
  [part: string]: unknown;
}

interface Found {
  hits: Hit[];
  groups?: { document: string; title: string; hits: Hit[] }[] | null;
  [part: string]: unknown;
}

export const flat = ({ paragraph, ...rest }: Hit) => ({ ...paragraph, ...rest });

const variablesOf = ({
  query,
  n,
  first,
  minRelevance,
  rerank,
  planning,
  plan,
  questions,
  hypothetical,
  foldDuplicates,
  diversity,
  groupBy,
  perGroup,
  summaries,
  ...filter
}: z.output<typeof QuestionQuery>) => ({
  query,
  first: first ?? n,
  filter: {
    documents: filter.document,
    collections: filter.collection,
    sourceTypes: filter.sourceType,
    contentTypes: filter.contentType,
    languages: filter.language,
    titleWords: filter.titleWord,
    createdFrom: filter.createdFrom,
    createdTo: filter.createdTo,
    addedFrom: filter.addedFrom,
    addedTo: filter.addedTo,
  },
  options: {
    ...{ minRelevance, rerank, planning, plan, questions, hypothetical },
    ...{ foldDuplicates, diversity, groupBy, perGroup, summaries },
  },
});
