import type { TenantId } from '@postmaster/contracts';
import { type Database, type Finished, type Job, publish } from '@postmaster/durable';
import { projected } from './index-paragraphs.js';
import type { Project } from './project.js';
import type { EmbeddingTables } from './rows/tables.js';

const STEP = 500;

/**
 * Shows a document's new version and then takes away what is erased: for a moment both may answer, never neither.
 * Of a deleted document it takes everything and says so.
 */
export const swapVersions =
  ({ db, project, pauseMs = 5_000 }: { db: Database<EmbeddingTables>; project: Project; pauseMs?: number }) =>
  async (tenant: TenantId, [job]: readonly Job[]): Promise<Finished<EmbeddingTables>> => {
    if (!job) return { outcomes: new Map() };
    const rows = await db.asTenant(tenant, (tx) =>
      tx.selectFrom('paragraphs').select(['id', 'erased']).where('document', '=', job.document).execute(),
    );
    const outcome = await projected(async () => {
      for (const erased of [false, true]) {
        const ids = rows.filter((row) => row.erased === erased).map((row) => row.id);
        for (let i = 0; i < ids.length; i += STEP) await project(tenant, ids.slice(i, i + STEP), []);
      }
    }, pauseMs);
    return {
      outcomes: new Map([[job.id, outcome]]),
      store: async (tx) => {
        if (outcome.kind !== 'done') return;
        const document = await tx
          .selectFrom('documents')
          .select('buried')
          .where('id', '=', job.document)
          .executeTakeFirst();
        if (document?.buried && document.buried >= job.version)
          await publish(tx, tenant, 'document.forgotten', {
            document: job.document,
            version: job.version,
            service: 'embedding',
          });
      },
    };
  };
