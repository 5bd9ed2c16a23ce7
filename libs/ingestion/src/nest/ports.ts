import type { Failure, IdentitySeal } from '@postmaster/contracts';
import DataLoader from 'dataloader';
import type { SubgraphContext } from '@postmaster/service';
import type { Paragraph } from '../document.js';
import type { IngestionUseCases } from '../ingestion-service.js';
import type { ParentText } from '../parent-texts.js';

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

const parentLoaders = new WeakMap<SubgraphContext, DataLoader<string, ParentText | null>>();

/** Reads the passages that a request's paragraphs are parts of together. */
export const parentLoader = (
  ports: IngestionGraphPorts,
  context: SubgraphContext,
): DataLoader<string, ParentText | null> => {
  const known = parentLoaders.get(context);
  if (known) return known;
  const loader = new DataLoader<string, ParentText | null>(async (ids) => {
    const found = new Map((await ports.reads.parentTexts(context.identity.tenant, ids)).map((one) => [one.id, one]));
    return ids.map((id) => found.get(id) ?? null);
  });
  parentLoaders.set(context, loader);
  return loader;
};
