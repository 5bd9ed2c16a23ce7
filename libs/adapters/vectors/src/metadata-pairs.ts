import type { Scalar } from '@postmaster/contracts';

/** A key and its scalar as one string; the text "1" and the number 1 differ, and no two pairs run together. */
export const metadataPair = (key: string, value: Scalar): string => JSON.stringify([key, value]);

/** What the metadata filter can ask for: the scalars at the top. */
export const metadataPairs = (metadata: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(metadata).flatMap(([key, value]) =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? [metadataPair(key, value)]
      : [],
  );
