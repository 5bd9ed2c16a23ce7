import { CodedError, DOCUMENT_TYPES, type FieldName, FIELDS, type TenantId } from '@postmaster/contracts';
import type { Database } from '@postmaster/durable';
import { z } from 'zod';
import { storeCorrections } from '../rows/extracted.js';
import type { EnrichmentTables } from '../rows/tables.js';
import type { Correction } from './come-to.js';
import { readExtracted, type ShownMetadata } from './read-extracted.js';

/** Corrections by hand, in the graph's names. */
export interface GivenCorrection {
  document: string;
  /** A value of null says that the document has none. */
  fields: readonly { name: string; value?: unknown }[];
  /** Names whose corrections are taken back, so that what was extracted counts again. */
  takeBack: readonly string[];
}

const NAMES = ['type', ...Object.keys(FIELDS)];

/**
 * Corrects a document's metadata. What a person says outlives other extractions and versions of the document. Throws
 * INPUT_INVALID for an unknown field or a value that is none of it, NOT_FOUND for a document without metadata.
 */
export const correctMetadata =
  (db: Database<EnrichmentTables>) =>
  async (tenant: TenantId, by: string, { document, fields, takeBack }: GivenCorrection): Promise<ShownMetadata> => {
    const corrections = fields.map(({ name, value }) => ({
      name: knownName(name),
      value: checked(name, value ?? null),
    }));
    const taken = takeBack.map(knownName);
    const stored = await db.asTenant(tenant, (tx) =>
      storeCorrections(tx, tenant, document, { corrections, taken, by }),
    );
    const [shown] = stored ? await readExtracted(db)(tenant, [document]) : [];
    if (shown) return shown;
    throw new CodedError('NOT_FOUND', `There are no metadata of a document "${document}".`, {
      next: 'Name a document that was read; of one that is stored by reference there are none.',
    });
  };

const knownName = (name: string): Correction['name'] => {
  if (NAMES.includes(name)) return name as Correction['name']; // among them
  throw new CodedError('INPUT_INVALID', `There is no field "${name}". Known fields: ${NAMES.join(', ')}.`, {
    field: 'input.fields',
  });
};

const checked = (name: string, value: unknown): unknown => {
  if (value === null) return null;
  const schema: z.ZodType = name === 'type' ? z.enum(DOCUMENT_TYPES) : FIELDS[name as FieldName]; // knownName checked it
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const at = [name, ...(issue?.path ?? [])].join('.');
  throw new CodedError('INPUT_INVALID', `${at}: ${issue?.message}.`, { field: 'input.fields' });
};
