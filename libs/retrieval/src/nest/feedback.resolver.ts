import { Inject } from '@nestjs/common';
import { Args, Context, Mutation, Resolver } from '@nestjs/graphql';
import { requireScope, type FeedbackVerdict } from '@postmaster/contracts';
import { orRefused, type SubgraphContext } from '@postmaster/service';
import type { RetrievalUseCases } from '../retrieval-service.js';
import { PORTS } from './ports.js';

interface GraphFeedbackInput {
  query: string;
  verdict: Uppercase<FeedbackVerdict>;
  paragraph?: string | null;
  answer?: { text: string; citations?: string[] | null } | null;
  note?: string | null;
}

@Resolver()
export class FeedbackResolver {
  constructor(@Inject(PORTS) private readonly ports: RetrievalUseCases) {}

  @Mutation('giveFeedback')
  giveFeedback(@Args('input') input: GraphFeedbackInput, @Context() { identity, token }: SubgraphContext) {
    return orRefused(async () => {
      requireScope(identity, 'read');
      const { query, verdict, paragraph, answer, note } = input;
      const given = await this.ports.giveFeedback(identity.tenant, token, identity.subject, {
        ...{ query, verdict: verdict.toLowerCase(), paragraph: paragraph ?? undefined, note: note ?? undefined },
        answer: answer ? { text: answer.text, citations: answer.citations ?? undefined } : undefined,
      });
      return { __typename: 'Feedback' as const, ...given, verdict: given.verdict.toUpperCase() };
    });
  }
}
