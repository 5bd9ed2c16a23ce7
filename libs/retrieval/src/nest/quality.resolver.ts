import { Inject } from '@nestjs/common';
import { Args, Context, Query, Resolver } from '@nestjs/graphql';
import { requireScope } from '@postmaster/contracts';
import type { SubgraphContext } from '@postmaster/service';
import type { JudgeAnswerRequest } from '../judge-answer.js';
import type { SimilarRequest } from '../more-like-this.js';
import type { RetrievalUseCases } from '../retrieval-service.js';
import type { SummaryRequest } from '../summarize.js';
import { graphCitation, graphHit } from './graph-shapes.js';
import { PORTS } from './ports.js';

/** What is asked of paragraphs and answers that were found before. */
@Resolver()
export class QualityResolver {
  constructor(@Inject(PORTS) private readonly ports: RetrievalUseCases) {}

  @Query('moreLikeThis')
  async moreLikeThis(@Args() args: SimilarRequest, @Context() { identity, token }: SubgraphContext) {
    requireScope(identity, 'read');
    const { hits, notices } = await this.ports.moreLikeThis(identity.tenant, token, args);
    return { hits: hits.map(graphHit), notices };
  }

  @Query('judge')
  async judge(
    @Args() args: { query: string; paragraph: string },
    @Context() { identity, token, signal }: SubgraphContext,
  ) {
    requireScope(identity, 'read');
    return this.ports.judgeParagraph(identity.tenant, token, args, signal);
  }

  @Query('judgeAnswer')
  async judgeAnswer(@Args() args: JudgeAnswerRequest, @Context() { identity, token, signal }: SubgraphContext) {
    requireScope(identity, 'read');
    return this.ports.judgeAnswer(identity.tenant, token, args, signal);
  }

  @Query('summarize')
  async summarize(@Args() args: SummaryRequest, @Context() { identity, token, signal }: SubgraphContext) {
    requireScope(identity, 'read');
    const { points, ...rest } = await this.ports.summarize(identity.tenant, token, args, signal);
    return {
      ...rest,
      points: points.map(({ text, citations }) => ({ text, citations: citations.map(graphCitation) })),
    };
  }
}
