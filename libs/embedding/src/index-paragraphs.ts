import {
  CodedError,
  done,
  type Failure,
  type IndexStage,
  type Outcome,
  paused,
  SUMMARY_POSITION,
  type TenantId,
  unreadOutcome,
} from '@postmaster/contracts';
import { type Finished, type Job, publish } from '@postmaster/durable';
import { sql, type Transaction } from 'kysely';
import type { Project } from './project.js';
import type { EmbeddingTables } from './rows/tables.js';

interface IndexPorts {
  project: Project;
  pauseMs?: number;
}

/** Brings a stage of paragraphs into the index and says so, by document. */
export const indexParagraphs =
  ({ project, pauseMs = 5_000 }: IndexPorts, stage: IndexStage) =>
  async (tenant: TenantId, jobs: readonly Job[]): Promise<Finished<EmbeddingTables>> => {
    let unread: ReadonlyMap<string, Failure> = new Map();
    const outcome = await projected(async () => {
      unread = await project(
        tenant,
        jobs.map((job) => job.key),
        [stage],
      );
    }, pauseMs);
    const outcomeOf = ({ key }: Job): Outcome => {
      const why = unread.get(key);
      return why ? unreadOutcome(why) : outcome;
    };
    return {
      outcomes: new Map(jobs.map((job) => [job.id, outcomeOf(job)])),
      store: (tx, held) => tell(tx, tenant, stage, held),
    };
  };

/** What the operator has to mend is a pause; a surprise stays a throw. */
export const projected = async (act: () => Promise<void>, pauseMs: number): Promise<Outcome> => {
  try {
    await act();
    return done();
  } catch (error) {
    if (error instanceof CodedError && OUT.has(error.code)) return paused(pauseMs, error.toFailure());
    throw error;
  }
};

/** What the operator has to mend: the work waits for it and spends no attempts. */
const OUT: ReadonlySet<string> = new Set([
  'ENCODER_UNREACHABLE',
  'ENCODER_REFUSED',
  'STORE_UNREACHABLE',
  'STORE_REFUSED',
  'DIMENSION_MISMATCH',
  'SERVICE_UNAVAILABLE', // ingestion, which reads texts from files
  'TIMED_OUT',
]);

/** Says of each document which paragraphs are in and which were given up; of its summary nothing, which counts in no progress. */
export const tell = async (
  tx: Transaction<EmbeddingTables>,
  tenant: TenantId,
  stage: IndexStage,
  held: readonly { job: Job; outcome: Outcome }[],
): Promise<void> => {
  const keys = held.map(({ job }) => job.key);
  const rows = await tx
    .selectFrom('paragraphs')
    .select(['id', 'version'])
    .where('id', '=', sql<string>`any(${keys})`)
    .where('position', '<>', SUMMARY_POSITION)
    .execute();
  const versions = new Map(rows.map((row) => [row.id, row.version]));
  const groups = new Map<string, { document: string; version: number; ended: typeof held }>();
  for (const one of held) {
    const version = versions.get(one.job.key);
    if (version === undefined) continue;
    const key = `${one.job.document}:${version}`;
    const group = groups.get(key);
    groups.set(key, { document: one.job.document, version, ended: [...(group?.ended ?? []), one] });
  }
  for (const { document, version, ended } of groups.values()) {
    const paragraphs = ended.filter(({ outcome }) => outcome.kind === 'done').map(({ job }) => job.key);
    const failures = ended.flatMap(({ job, outcome }) =>
      outcome.kind === 'hopeless' ? [{ paragraph: job.key, failure: outcome.why }] : [],
    );
    if (paragraphs.length > 0)
      await publish(tx, tenant, 'paragraphs.indexed', { document, version, stage, paragraphs });
    if (failures.length > 0) await publish(tx, tenant, 'paragraphs.failed', { document, version, stage, failures });
  }
};
