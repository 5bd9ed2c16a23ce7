import { readFileSync } from 'node:fs';
import { type DynamicModule, Inject } from '@nestjs/common';
import { Context, Parent, Query, ResolveField, Resolver, ResolveReference } from '@nestjs/graphql';
import { requireScope } from '@postmaster/contracts';
import type { SubgraphContext } from '@postmaster/service';
import DataLoader from 'dataloader';
import type { VectorInfo } from '../read-vectors.js';
import { type EmbeddingGraphPorts, PORTS } from './ports.js';
import { UpkeepResolver } from './upkeep.resolver.js';

const loaders = new WeakMap<SubgraphContext, DataLoader<string, VectorInfo[] | null>>();

@Resolver('Paragraph')
export class ParagraphVectorsResolver {
  constructor(@Inject(PORTS) private readonly ports: EmbeddingGraphPorts) {}

  @ResolveReference()
  reference(reference: { id: string }) {
    return reference;
  }

  @ResolveField('vectors')
  vectors(@Parent() { id }: { id: string }, @Context() context: SubgraphContext) {
    const { tenant } = context.identity;
    const loader =
      loaders.get(context) ?? new DataLoader((ids: readonly string[]) => this.ports.readVectors(tenant, ids));
    loaders.set(context, loader);
    return loader.load(id);
  }
}

@Resolver()
export class EncoderResolver {
  constructor(@Inject(PORTS) private readonly ports: EmbeddingGraphPorts) {}

  @Query('encoder')
  encoder(@Context() { identity }: SubgraphContext) {
    requireScope(identity, 'read');
    const { id, dimension, maxTokens } = this.ports.encoder;
    return { id, dimension, maxTokens };
  }
}

class EmbeddingModule {}

/** The embedding subgraph over its ports. */
export const embeddingModule = (ports: EmbeddingGraphPorts): DynamicModule => ({
  module: EmbeddingModule,
  providers: [{ provide: PORTS, useValue: ports }, ParagraphVectorsResolver, EncoderResolver, UpkeepResolver],
});

export const embeddingTypeDefs = (): string =>
  readFileSync(new URL('../../src/nest/schema.graphql', import.meta.url), 'utf8');
