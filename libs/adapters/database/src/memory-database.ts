import { CompiledQuery } from 'kysely';
import { bareTemplate } from './bare-template.js';
import { type ServiceRows, migrate } from './migrate.js';
import type { OpenDatabase } from './open-database.js';
import { kyselyOver } from './open-pglite.js';
import { PgliteSession } from './pglite-session.js';
import { type PgliteThread, startPgliteThread } from './pglite-thread.js';

/** Threads whose databases were closed. To start one takes far longer than to empty what it holds. */
const idle: PgliteThread[] = [];

/** For tests: a migrated database in memory; those of a process take turns in the same threads. */
export const openMemoryDatabase = async (services: readonly ServiceRows[]): Promise<OpenDatabase> => {
  const thread = idle.pop() ?? (await startMemoryThread());
  const kysely = kyselyOver(thread);
  await migrate(kysely, services);
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await kysely.destroy();
    await empty(thread);
    idle.push(thread);
  };
  return { kind: 'pglite', kysely, close: () => (closing ??= close()) };
};

/** For tests of a session: the thread of a database in memory, with nothing in it. */
export const startMemoryThread = (): Promise<PgliteThread> => startPgliteThread({ template: bareTemplate() });

const DROP_SCHEMAS = `do $$ declare name text; begin
  for name in select nspname from pg_namespace where nspname !~ '^pg_' and nspname not in ('information_schema', 'public')
  loop execute format('drop schema %I cascade', name); end loop;
end $$`;

/** Takes away what was kept and what was set; roles stay, which every migration makes. */
const empty = async (thread: PgliteThread): Promise<void> => {
  const session = new PgliteSession((bytes) => thread.protocol(bytes));
  for (const statement of ['rollback', 'reset role', 'discard all', DROP_SCHEMAS])
    await session.executeQuery(CompiledQuery.raw(statement));
};
