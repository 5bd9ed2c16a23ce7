import type { Failure, IdentitySeal } from '@postmaster/contracts';
import DataLoader from 'dataloader';
import type { SubgraphContext } from '@postmaster/service';
import type { Paragraph } from '../document.js';
import type { IngestionUseCases } from '../ingestion-service.js';

export interface IngestionGraphPorts extends IngestionUseCases {
  /** Why facets wait to be made, where they do. */
  paused: (token: string) => Promise<Failure | null>;
  now: () => Date;
  /** Opens the tokens of a gateway in another process. */
  seal: IdentitySeal;
}

export const PORTS = Symbol('ingestion ports');

const loaders = new WeakMap<SubgraphContext, DataLoader<string, Paragraph | null>>();

/** Reads a request's paragraphs together, however many references ask for one each. */
export const paragraphLoader = (
  ports: IngestionGraphPorts,
  context: SubgraphContext,
): DataLoader<string, Paragraph | null> => {
  const known = loaders.get(context);
  if (known) return known;
  const loader = new DataLoader<string, Paragraph | null>((ids) =>
    ports.reads.paragraphsById(context.identity.tenant, ids),
  );
  loaders.set(context, loader);
  return loader;
};
