import { Inject } from '@nestjs/common';
import { Args, Context, Mutation, Query, Resolver } from '@nestjs/graphql';
import { contractName, graphName, type GraphName, requireScope } from '@postmaster/contracts';
import { orRefused, type SubgraphContext } from '@postmaster/service';
import type { PromptSet } from '../own-prompts/set-prompt.js';
import type { ShownPrompt } from '../own-prompts/show-prompts.js';
import { type EnrichmentUseCases, PORTS } from './ports.js';

interface GraphPromptInput {
  task: GraphName<ShownPrompt['task']>;
  language: GraphName<ShownPrompt['language']>;
  instructions?: string | null;
  rules?: string | null;
  dryRun?: boolean | null;
}

@Resolver()
export class PromptsResolver {
  constructor(@Inject(PORTS) private readonly ports: EnrichmentUseCases) {}

  @Query('prompts')
  async prompts(@Context() { identity }: SubgraphContext) {
    requireScope(identity, 'admin');
    return (await this.ports.showPrompts(identity.tenant)).map(inGraph);
  }

  @Mutation('setPrompt')
  setPrompt(@Args('input') { dryRun, ...input }: GraphPromptInput, @Context() { identity }: SubgraphContext) {
    return orRefused(async () => {
      requireScope(identity, 'admin');
      const given = { ...input, task: contractName(input.task), language: contractName(input.language) };
      const set = await this.ports.setPrompt(identity.tenant, identity.subject, given, dryRun ?? false);
      return { __typename: 'Prompt' as const, ...inGraph(set) };
    });
  }
}

const inGraph = ({ task, language, ...prompt }: ShownPrompt & Partial<Pick<PromptSet, 'tried'>>) => ({
  ...prompt,
  task: graphName(task),
  language: graphName(language),
});
