import { CodedError, type Failure, failure } from '@postmaster/contracts';
import type { SubgraphContext } from '@postmaster/service';
import type { IngestionGraphPorts } from './ports.js';

const asked = new WeakMap<SubgraphContext, Promise<Failure | null>>();

/** Why facets wait to be made: asked once a request. That nobody answers is such a reason, and hides no other progress. */
export const askPause = (
  { paused }: Pick<IngestionGraphPorts, 'paused'>,
  context: SubgraphContext,
): Promise<Failure | null> => {
  const asking =
    asked.get(context) ??
    paused(context.token).catch((error: unknown) => {
      if (!(error instanceof CodedError)) throw error;
      return failure('SERVICE_UNAVAILABLE', 'The enrichment service does not answer.');
    });
  asked.set(context, asking);
  return asking;
};
