import { Inject } from '@nestjs/common';
import { Args, Context, Query, Resolver, Subscription } from '@nestjs/graphql';
import { graphPlan, requireScope } from '@postmaster/contracts';
import type { SubgraphContext } from '@postmaster/service';
import { foldAnswer } from '../answer.js';
import type { RetrievalUseCases } from '../retrieval-service.js';
import {
  graphCitation,
  graphEvent,
  graphFigures,
  graphGroup,
  graphHit,
  type QuestionArgs,
  requestOf,
} from './graph-shapes.js';
import { PORTS } from './ports.js';

@Resolver()
export class QuestionsResolver {
  constructor(@Inject(PORTS) private readonly ports: RetrievalUseCases) {}

  @Query('search')
  async search(@Args() args: QuestionArgs, @Context() { identity, token, signal }: SubgraphContext) {
    requireScope(identity, 'read');
    const { hits, groups, plan, notices, tookMs } = await this.ports.search(
      identity.tenant,
      token,
      requestOf(args),
      signal,
    );
    return { hits: hits.map(graphHit), groups: groups?.map(graphGroup), plan: graphPlan(plan), notices, tookMs };
  }

  @Query('ask')
  async ask(@Args() args: QuestionArgs, @Context() { identity, token, signal }: SubgraphContext) {
    requireScope(identity, 'read');
    const answer = await foldAnswer(this.ports.answerStream(identity.tenant, token, requestOf(args), signal));
    return {
      ...answer,
      hits: answer.hits.map(graphHit),
      plan: answer.plan && graphPlan(answer.plan),
      citations: answer.citations.map(graphCitation),
    };
  }

  @Query('evaluate')
  async evaluate(@Args('input') input: unknown, @Context() { identity, token }: SubgraphContext) {
    requireScope(identity, 'admin');
    const { queries, ways } = await this.ports.evaluate(identity, token, input);
    return { queries, ways: ways.map(graphFigures) };
  }

  @Subscription('answer', { resolve: (event: unknown) => event })
  async *answer(@Args() args: QuestionArgs, @Context() { identity, token, signal }: SubgraphContext) {
    requireScope(identity, 'read');
    for await (const event of this.ports.answerStream(identity.tenant, token, requestOf(args), signal))
      yield graphEvent(event);
  }
}
