import { Inject } from '@nestjs/common';
import { Args, Context, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { requireScope } from '@postmaster/contracts';
import { connectionOf, type Page, pageSize, type SubgraphContext } from '@postmaster/service';
import DataLoader from 'dataloader';
import type { EntityType } from '../entities/entity.js';
import type { Entity, EntityAlias, Neighbour } from '../rows/entity-graph.js';
import { type EnrichmentUseCases, PORTS } from './ports.js';

interface PageArgs {
  first?: number | null;
  after?: string | null;
}

const MOST_OF_PARAGRAPH = 40;

@Resolver()
export class EntityQueriesResolver {
  constructor(@Inject(PORTS) private readonly ports: EnrichmentUseCases) {}

  @Query('entity')
  async entity(@Args('id') id: string, @Context() { identity }: SubgraphContext) {
    requireScope(identity, 'read');
    const [found] = await this.ports.entities.byId(identity.tenant, [id]);
    return found && entityInGraph(found);
  }

  @Query('entities')
  async entities(
    @Args() args: PageArgs & { search?: string | null; type?: string | null },
    @Context() { identity }: SubgraphContext,
  ) {
    requireScope(identity, 'read');
    const types = args.type ? [args.type.toLowerCase() as EntityType] : undefined; // the enum's names
    const asked = { ...pageOf(args), types, search: args.search?.trim() || undefined };
    return entitiesInGraph(await this.ports.entities.page(identity.tenant, asked), asked.after);
  }
}

@Resolver('Document')
export class DocumentEntitiesResolver {
  constructor(@Inject(PORTS) private readonly ports: EnrichmentUseCases) {}

  @ResolveField('entities')
  async entities(@Parent() { id }: { id: string }, @Args() args: PageArgs, @Context() { identity }: SubgraphContext) {
    const asked = pageOf(args);
    return entitiesInGraph(await this.ports.entities.inDocument(identity.tenant, id, asked), asked.after);
  }
}

@Resolver('Paragraph')
export class ParagraphEntitiesResolver {
  constructor(@Inject(PORTS) private readonly ports: EnrichmentUseCases) {}

  @ResolveField('entities')
  async entities(@Parent() { id }: { id: string }, @Context() context: SubgraphContext) {
    return (await loadersOf(context, this.ports).ofParagraph.load(id)).map(entityInGraph);
  }
}

@Resolver('Entity')
export class EntityResolver {
  constructor(@Inject(PORTS) private readonly ports: EnrichmentUseCases) {}

  @ResolveField('aliases')
  async aliases(@Parent() { id }: Entity, @Context() context: SubgraphContext) {
    return (await loadersOf(context, this.ports).aliases.load(id)).map((alias) => ({
      ...alias,
      why: alias.why?.toUpperCase() ?? null,
      paragraph: alias.paragraph === null ? null : { id: alias.paragraph },
    }));
  }

  @ResolveField('observations')
  observations(@Parent() { id }: Entity, @Context() context: SubgraphContext) {
    return loadersOf(context, this.ports).notes.load(id);
  }

  @ResolveField('paragraphs')
  async paragraphs(@Parent() { id }: Entity, @Args() args: PageArgs, @Context() { identity }: SubgraphContext) {
    const asked = pageOf(args);
    return paragraphsInGraph(await this.ports.entities.paragraphs(identity.tenant, [id], asked), asked.after);
  }

  @ResolveField('neighbours')
  async neighbours(@Parent() { id }: Entity, @Args() args: PageArgs, @Context() { identity }: SubgraphContext) {
    const asked = pageOf(args);
    const page = await this.ports.entities.neighbours(identity.tenant, id, asked);
    const { nodes, ...rest } = connectionOf(page, asked.after);
    return { ...rest, nodes: nodes.map((node) => neighbourInGraph(id, node)) };
  }
}

@Resolver('Neighbour')
export class NeighbourResolver {
  constructor(@Inject(PORTS) private readonly ports: EnrichmentUseCases) {}

  @ResolveField('paragraphs')
  async paragraphs(
    @Parent() { of, entity }: Neighbour & { of: string },
    @Args() args: PageArgs,
    @Context() { identity }: SubgraphContext,
  ) {
    const asked = pageOf(args);
    const both = [of, entity.id];
    return paragraphsInGraph(await this.ports.entities.paragraphs(identity.tenant, both, asked), asked.after);
  }
}

interface Loaders {
  ofParagraph: DataLoader<string, Entity[]>;
  aliases: DataLoader<string, EntityAlias[]>;
  notes: DataLoader<string, string[]>;
}

const loaders = new WeakMap<SubgraphContext, Loaders>();

const loadersOf = (context: SubgraphContext, { entities }: EnrichmentUseCases): Loaders => {
  const { tenant } = context.identity;
  const known = loaders.get(context) ?? {
    ofParagraph: new DataLoader((ids: readonly string[]) => entities.ofParagraphs(tenant, ids, MOST_OF_PARAGRAPH)),
    aliases: new DataLoader((ids: readonly string[]) => entities.aliases(tenant, ids)),
    notes: new DataLoader((ids: readonly string[]) => entities.notes(tenant, ids)),
  };
  loaders.set(context, known);
  return known;
};

const pageOf = ({ first, after }: PageArgs) => ({ first: pageSize(first), after: after ?? undefined });

export const entityInGraph = ({ type, ...rest }: Entity) => ({ ...rest, type: type.toUpperCase() });

const neighbourInGraph = (of: string, { entity, relations, ...rest }: Neighbour) => ({
  ...{ ...rest, of, entity: entityInGraph(entity) },
  relations: relations.map(({ paragraph, ...relation }) => ({
    ...relation,
    paragraph: paragraph && { id: paragraph },
  })),
});

const entitiesInGraph = (page: Page<Entity>, after: string | undefined) =>
  connectionOf(
    { ...page, items: page.items.map(({ cursor, node }) => ({ cursor, node: entityInGraph(node) })) },
    after,
  );

const paragraphsInGraph = (page: Page<string>, after: string | undefined) =>
  connectionOf({ ...page, items: page.items.map(({ cursor, node: id }) => ({ cursor, node: { id } })) }, after);
