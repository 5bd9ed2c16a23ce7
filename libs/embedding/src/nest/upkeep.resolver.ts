import { Inject } from '@nestjs/common';
import { Args, Context, Mutation, Query, Resolver } from '@nestjs/graphql';
import { requireScope } from '@postmaster/contracts';
import { orRefused, type SubgraphContext } from '@postmaster/service';
import type { IndexRun } from '../rows/index-runs.js';
import { type EmbeddingGraphPorts, PORTS } from './ports.js';

@Resolver()
export class UpkeepResolver {
  constructor(@Inject(PORTS) private readonly ports: EmbeddingGraphPorts) {}

  @Query('reconciliation')
  async reconciliation(@Args('id') id: string | null | undefined, @Context() { identity }: SubgraphContext) {
    requireScope(identity, 'admin');
    const run = await this.ports.upkeep.run(identity.tenant, 'reconcile', id ?? undefined);
    return run && graphReconciliation(run);
  }

  @Query('rebuild')
  async rebuild(@Args('id') id: string | null | undefined, @Context() { identity }: SubgraphContext) {
    requireScope(identity, 'admin');
    const run = await this.ports.upkeep.run(identity.tenant, 'rebuild', id ?? undefined);
    return run && graphRebuild(run);
  }

  @Mutation('reconcileIndex')
  reconcileIndex(@Args('dryRun') dryRun: boolean | null | undefined, @Context() { identity }: SubgraphContext) {
    return orRefused(async () => {
      requireScope(identity, 'admin');
      return graphReconciliation(await this.ports.upkeep.reconcile(identity.tenant, dryRun ?? false));
    });
  }

  @Mutation('rebuildIndex')
  rebuildIndex(@Context() { identity }: SubgraphContext) {
    return orRefused(async () => {
      requireScope(identity, 'admin');
      return graphRebuild(await this.ports.upkeep.rebuild(identity.tenant));
    });
  }
}

const graphReconciliation = (run: IndexRun) => ({
  __typename: 'Reconciliation' as const,
  ...whenAndWhy(run),
  status: run.phase === 'done' ? 'DONE' : run.phase === 'failed' ? 'FAILED' : 'RUNNING',
  dryRun: run.dry_run,
  looked: run.looked,
  missing: run.missing,
  orphaned: run.orphaned,
  stale: run.stale,
  mended: run.mended,
});

const REBUILD_PHASES = {
  clearing: 'CLEARING',
  filling: 'FILLING',
  rows: 'COMPARING',
  points: 'COMPARING',
  dropping: 'DROPPING',
  done: 'DONE',
  failed: 'FAILED',
} as const satisfies Record<IndexRun['phase'], string>;

const graphRebuild = (run: IndexRun) => ({
  __typename: 'Rebuild' as const,
  ...whenAndWhy(run),
  phase: REBUILD_PHASES[run.phase],
  index: run.index_name,
  encoder: run.encoder,
  filled: run.filled,
  compared: run.looked,
  switchedAt: run.switched_at,
});

const whenAndWhy = ({ id, total, fault, started_at, finished_at }: IndexRun) => ({
  ...{ id, total, fault },
  startedAt: started_at,
  finishedAt: finished_at,
});
