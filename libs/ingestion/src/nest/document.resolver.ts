import { Inject } from '@nestjs/common';
import { Args, Context, Parent, ResolveField, Resolver, ResolveReference } from '@nestjs/graphql';
import { graphName } from '@postmaster/contracts';
import { connectionOf, pageSize, type SubgraphContext } from '@postmaster/service';
import { secondsLeft } from '../seconds-left.js';
import type { Document } from '../document.js';
import { askPause } from './ask-pause.js';
import { type IngestionGraphPorts, PORTS } from './ports.js';

@Resolver('Document')
export class DocumentResolver {
  constructor(@Inject(PORTS) private readonly ports: IngestionGraphPorts) {}

  @ResolveReference()
  reference({ id }: { id: string }, { identity }: SubgraphContext) {
    return this.ports.reads.document(identity.tenant, id);
  }

  @ResolveField('chunking')
  chunking(@Parent() { chunking }: Document) {
    return chunking && graphName(chunking);
  }

  @ResolveField('reference')
  fileReference(@Parent() { reference }: Document) {
    if (!reference) return null;
    const { folder, path, size, mtimeMs } = reference;
    return { folder, path, size, modifiedAt: new Date(mtimeMs) };
  }

  @ResolveField('progress')
  async progress(@Parent() document: Document, @Context() context: SubgraphContext) {
    const counts = await this.ports.reads.progress(context.identity.tenant, document.id, document.version);
    const waiting = document.status === 'PARSED' || document.status === 'SEARCHABLE';
    return {
      total: counts.total,
      indexed: counts.textDone,
      enriched: counts.facetsDone,
      failed: counts.facetsFailed,
      ready: counts.settled,
      paused: waiting ? await askPause(this.ports, context) : null,
      secondsLeft: secondsLeft(counts, document, this.ports.now()),
    };
  }

  @ResolveField('degraded')
  degraded(@Parent() document: Document, @Context() { identity }: SubgraphContext) {
    return this.ports.reads.degraded(identity.tenant, document.id, document.version);
  }

  @ResolveField('paragraphs')
  async paragraphs(
    @Parent() document: Document,
    @Args('first') first: number | null,
    @Args('after') after: string | null,
    @Context() { identity }: SubgraphContext,
  ) {
    const page = { first: pageSize(first), after: after ?? undefined };
    const version = document.activeVersion ?? document.version;
    return connectionOf(await this.ports.reads.paragraphs(identity.tenant, document.id, version, page), page.after);
  }
}
