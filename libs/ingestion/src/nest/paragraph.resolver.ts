import { Inject } from '@nestjs/common';
import { Context, Parent, ResolveField, Resolver, ResolveReference } from '@nestjs/graphql';
import type { SubgraphContext } from '@postmaster/service';
import type { Paragraph } from '../document.js';
import { type IngestionGraphPorts, paragraphLoader, parentLoader, PORTS } from './ports.js';

@Resolver('Paragraph')
export class ParagraphResolver {
  constructor(@Inject(PORTS) private readonly ports: IngestionGraphPorts) {}

  @ResolveReference()
  reference({ id }: { id: string }, context: SubgraphContext) {
    return paragraphLoader(this.ports, context).load(id);
  }

  @ResolveField('parent')
  parent(@Parent() paragraph: Paragraph, @Context() context: SubgraphContext) {
    return paragraph.parent && parentLoader(this.ports, context).load(paragraph.id);
  }

  @ResolveField('document')
  document(@Parent() paragraph: Paragraph, @Context() { identity }: SubgraphContext) {
    return this.ports.reads.document(identity.tenant, paragraph.document);
  }
}
