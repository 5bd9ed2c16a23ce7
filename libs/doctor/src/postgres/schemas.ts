import { requireMigrated } from '@postmaster/database';
import { CodedError } from '@postmaster/contracts';
import type { Kysely } from 'kysely';
import { fail, ok, type Verdict } from '../finding.js';
import { SERVICE_ROWS } from './service-rows.js';

/** Whether every service's schema has the steps that this version needs. */
export const schemasVerdict = async (kysely: Kysely<unknown>): Promise<Verdict> => {
  const lacking: CodedError[] = [];
  for (const rows of SERVICE_ROWS)
    try {
      await requireMigrated(kysely, rows);
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      lacking.push(error);
    }
  const [first] = lacking;
  if (first) return fail(lacking.map(({ message }) => message).join(' '), first.next);
  const steps = SERVICE_ROWS.map(({ schema, migrations }) => `${schema} ${Object.keys(migrations).length}`);
  return ok(`All migrations of this version have run (${steps.join(', ')}).`);
};
