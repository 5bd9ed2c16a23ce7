import { Readable } from 'node:stream';
import type { IngestionUseCases } from '@postmaster/ingestion';
import type { DocumentBytes, Uploads } from '@postmaster/gateway';

/** Uploads go straight to the ingestion service of this process. */
export const uploads = ({ accept }: Pick<IngestionUseCases, 'accept'>): Uploads => ({
  accept: ({ tenant }, { stream, name, declaredType, fields: { priority, ...fields } }) =>
    accept(tenant, { ...fields, name, declaredType, lane: priority === 'BULK' ? 'bulk' : 'interactive' }, stream),
});

export const documentBytes = ({
  reads,
  openOriginal,
}: Pick<IngestionUseCases, 'reads' | 'openOriginal'>): DocumentBytes => ({
  text: ({ tenant }, document) => reads.plainText(tenant, document),
  original: async ({ tenant }, document) => {
    const stored = await reads.original(tenant, document);
    if (!stored) return null;
    const { hash: _, source: __, ...facts } = stored;
    const read = async function* (range?: { start: number; end: number }) {
      yield* await openOriginal(tenant, stored, range);
    };
    return { ...facts, read: (range) => Readable.from(read(range), { objectMode: false }) };
  },
});
