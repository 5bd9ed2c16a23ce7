import { Inject } from '@nestjs/common';
import { Args, Context, Mutation, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { requireScope } from '@postmaster/contracts';
import { orRefused, type SubgraphContext } from '@postmaster/service';
import type { Folder, FolderMode } from '../folders/folder.js';
import { type IngestionGraphPorts, PORTS } from './ports.js';

interface AddFolderInput {
  path: string;
  include?: string[] | null;
  exclude?: string[] | null;
  collection?: string | null;
  metadata?: Record<string, unknown> | null;
  mode?: Uppercase<FolderMode> | null;
  watch?: boolean | null;
  onGone?: Uppercase<Folder['onGone']> | null;
}

@Resolver('Folder')
export class FoldersResolver {
  constructor(@Inject(PORTS) private readonly ports: IngestionGraphPorts) {}

  @Query('folders')
  folders(@Context() { identity }: SubgraphContext) {
    requireScope(identity, 'read');
    return this.ports.folders.list(identity.tenant);
  }

  @Mutation('addFolder')
  add(@Args('input') input: AddFolderInput, @Context() context: SubgraphContext) {
    const { path, include, exclude, collection, metadata, mode, watch, onGone } = input;
    return this.change(context, () =>
      this.ports.folders.add(context.identity.tenant, {
        path,
        include: include ?? undefined,
        exclude: exclude ?? undefined,
        collection: collection ?? undefined,
        metadata: metadata ?? undefined,
        mode: mode?.toLowerCase(),
        watch: watch ?? undefined,
        onGone: onGone?.toLowerCase(),
      }),
    );
  }

  @Mutation('scanFolder')
  scan(@Args('id') id: string, @Context() context: SubgraphContext) {
    return this.change(context, () => this.ports.folders.scan(context.identity.tenant, id));
  }

  @Mutation('removeFolder')
  remove(
    @Args('id') id: string,
    @Args('keepDocuments') keepDocuments: boolean | null,
    @Context() context: SubgraphContext,
  ) {
    return this.change(context, () => this.ports.folders.remove(context.identity.tenant, id, keepDocuments ?? false));
  }

  @ResolveField('mode')
  mode(@Parent() { mode }: Folder) {
    return mode.toUpperCase();
  }

  @ResolveField('onGone')
  onGone(@Parent() { onGone }: Folder) {
    return onGone.toUpperCase();
  }

  private change({ identity }: SubgraphContext, act: () => Promise<Folder>) {
    return orRefused(async () => {
      requireScope(identity, 'write');
      return { __typename: 'Folder' as const, ...(await act()) };
    });
  }
}
