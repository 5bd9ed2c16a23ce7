import { Inject } from '@nestjs/common';
import { Context, Parent, ResolveField, Resolver, ResolveReference } from '@nestjs/graphql';
import { readSummaryId } from '@postmaster/contracts';
import type { SubgraphContext } from '@postmaster/service';
import type { Paragraph } from '../document.js';
import { type IngestionGraphPorts, paragraphLoader, parentLoader, PORTS } from './ports.js';

type Referred = Pick<Paragraph, 'id' | 'document'> & Partial<Paragraph>;

@Resolver('Paragraph')
export class ParagraphResolver {
  constructor(@Inject(PORTS) private readonly ports: IngestionGraphPorts) {}

  /** Of a summary, which a hit holds as it holds a paragraph, only the document is known here. */
  @ResolveReference()
  reference({ id }: { id: string }, context: SubgraphContext): Promise<Referred | null> | Referred {
    const summary = readSummaryId(id);
    return summary ? { id, document: summary.document } : paragraphLoader(this.ports, context).load(id);
  }

  @ResolveField('parent')
  parent(@Parent() paragraph: Referred, @Context() context: SubgraphContext) {
    return paragraph.parent && parentLoader(this.ports, context).load(paragraph.id);
  }

  @ResolveField('document')
  document(@Parent() paragraph: Referred, @Context() { identity }: SubgraphContext) {
    return this.ports.reads.document(identity.tenant, paragraph.document);
  }
}
