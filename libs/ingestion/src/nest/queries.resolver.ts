import { Inject } from '@nestjs/common';
import { Args, Context, Query, Resolver } from '@nestjs/graphql';
import { CodedError, requireScope } from '@postmaster/contracts';
import { connectionOf, pageSize, type SubgraphContext } from '@postmaster/service';
import type { DocumentFilter, DocumentOrder } from '../rows/document-pages.js';
import { type IngestionGraphPorts, paragraphLoader, PORTS } from './ports.js';

const MOST_IDS = 200;

@Resolver()
export class QueriesResolver {
  constructor(@Inject(PORTS) private readonly ports: IngestionGraphPorts) {}

  @Query('document')
  document(@Args('id') id: string, @Context() { identity }: SubgraphContext) {
    requireScope(identity, 'read');
    return this.ports.reads.document(identity.tenant, id);
  }

  @Query('documents')
  async documents(@Args() args: DocumentsArgs, @Context() { identity }: SubgraphContext) {
    requireScope(identity, 'read');
    const { first, after, filter, orderBy } = args;
    const page = { first: pageSize(first), after: after ?? undefined };
    return connectionOf(
      await this.ports.reads.documents(identity.tenant, page, filter ?? {}, orderBy ?? 'ADDED_NEWEST'),
      page.after,
    );
  }

  @Query('paragraphs')
  paragraphs(@Args('ids') ids: string[], @Context() context: SubgraphContext) {
    requireScope(context.identity, 'read');
    if (ids.length > MOST_IDS)
      throw new CodedError('INPUT_INVALID', `"ids" may hold ${MOST_IDS} at most, not ${ids.length}.`, { field: 'ids' });
    return paragraphLoader(this.ports, context).loadMany(ids);
  }

  @Query('job')
  job(@Args('id') id: string, @Context() { identity }: SubgraphContext) {
    requireScope(identity, 'read');
    return this.ports.readBulkJob(identity.tenant, id);
  }

  @Query('deletionReceipt')
  deletionReceipt(@Args('id') id: string, @Context() { identity }: SubgraphContext) {
    requireScope(identity, 'read');
    return this.ports.deletionReceipt(identity.tenant, id);
  }
}

interface DocumentsArgs {
  first?: number | null;
  after?: string | null;
  filter?: DocumentFilter | null;
  orderBy?: DocumentOrder | null;
}
