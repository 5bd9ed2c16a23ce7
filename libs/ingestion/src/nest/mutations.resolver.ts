import { Readable } from 'node:stream';
import { Inject } from '@nestjs/common';
import { Args, Context, Mutation, Resolver } from '@nestjs/graphql';
import { type Chunking, contractName, type GraphName, requireScope } from '@postmaster/contracts';
import { orRefused, type SubgraphContext } from '@postmaster/service';
import type { BulkJob } from '../bulk-job.js';
import type { GivenDocument } from '../document.js';
import type { DocumentFilter } from '../rows/document-pages.js';
import { type IngestionGraphPorts, PORTS } from './ports.js';

const CONTENT_TYPES = { PLAIN: 'text/plain', MARKDOWN: 'text/markdown', HTML: 'text/html' } as const;
const NAMES = { PLAIN: 'text.txt', MARKDOWN: 'text.md', HTML: 'text.html' } as const;

interface Given {
  title?: string | null;
  sourceType?: string | null;
  sourceId?: string | null;
  sourceUri?: string | null;
  collection?: string | null;
  createdAt?: string | null;
  metadata?: Record<string, unknown> | null;
  priority?: 'INTERACTIVE' | 'BULK' | null;
  chunking?: GraphName<Chunking> | null;
}

@Resolver()
export class MutationsResolver {
  constructor(@Inject(PORTS) private readonly ports: IngestionGraphPorts) {}

  @Mutation('ingestText')
  ingestText(
    @Args('input') input: Given & { text: string; contentType?: keyof typeof CONTENT_TYPES | null },
    @Context() context: SubgraphContext,
  ) {
    const type = input.contentType ?? 'PLAIN';
    return orRefused(() =>
      this.take(
        context,
        {
          ...givenOf(input),
          sourceType: input.sourceType ?? 'text',
          name: input.title ?? NAMES[type],
          declaredType: CONTENT_TYPES[type],
        },
        Readable.from([Buffer.from(input.text)]),
      ),
    );
  }

  @Mutation('ingestUrl')
  ingestUrl(@Args('input') input: Given & { url: string }, @Context() context: SubgraphContext) {
    return orRefused(async () => {
      requireScope(context.identity, 'write');
      const fetched = await this.ports.fetchDocument(input.url, context.signal);
      const given = {
        ...givenOf(input),
        sourceType: input.sourceType ?? 'url',
        sourceId: input.sourceId ?? input.url,
        sourceUri: input.sourceUri ?? fetched.finalUrl,
        name: fetched.name,
        declaredType: fetched.contentType ?? undefined,
      };
      return this.take(context, given, fetched.stream);
    });
  }

  @Mutation('deleteDocuments')
  deleteDocuments(@Args('filter') filter: DocumentFilter, @Context() context: SubgraphContext) {
    return this.begin('DELETE', filter, context);
  }

  @Mutation('retryDocuments')
  retryDocuments(@Args('filter') filter: DocumentFilter, @Context() context: SubgraphContext) {
    return this.begin('RETRY', filter, context);
  }

  @Mutation('enrichDocuments')
  enrichDocuments(@Args('filter') filter: DocumentFilter, @Context() context: SubgraphContext) {
    return this.begin('ENRICH', filter, context);
  }

  private begin(kind: BulkJob['kind'], filter: DocumentFilter, { identity }: SubgraphContext) {
    return orRefused(async () => {
      requireScope(identity, 'write');
      return { __typename: 'Job' as const, ...(await this.ports.beginBulkJob(identity.tenant, kind, filter)) };
    });
  }

  private async take({ identity, signal }: SubgraphContext, given: GivenDocument, bytes: Readable) {
    requireScope(identity, 'write');
    const { document, version, unchanged } = await this.ports.accept(identity.tenant, given, bytes, signal);
    return {
      __typename: 'Ingested' as const,
      document: await this.ports.reads.document(identity.tenant, document),
      version,
      unchanged,
    };
  }
}

const givenOf = (input: Given) => ({
  title: input.title ?? undefined,
  sourceId: input.sourceId ?? undefined,
  sourceUri: input.sourceUri ?? undefined,
  collection: input.collection ?? undefined,
  createdAt: input.createdAt ?? undefined,
  metadata: input.metadata ?? undefined,
  chunking: input.chunking ? contractName(input.chunking) : undefined,
  lane: input.priority === 'BULK' ? ('bulk' as const) : ('interactive' as const),
});
