import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** One index of the embedded store: a table for each tenant. */
export interface LanceIndex {
  name: string;
  tables: number;
  rows: number;
  /** Bytes of changes that the tables have not taken in yet: they count for searches, and not in `rows`. */
  journal: number;
  /** Why a table can't be read. */
  broken?: string;
}

/** Reads beside a running server: a version that was once written does not change. */
export const readIndexes = async (folder: string): Promise<LanceIndex[]> => {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  if (names.length === 0) return [];
  const { connect } = await import('@lancedb/lancedb'); // native, and needed here alone
  return Promise.all(
    names.map(async (name): Promise<LanceIndex> => {
      const found = { name, tables: 0, rows: 0, journal: 0 };
      try {
        const connection = await connect(join(folder, name));
        for (const tenant of await connection.tableNames()) {
          const table = await connection.openTable(tenant);
          found.tables++;
          found.rows += await table.countRows();
          found.journal += await sizeOf(join(folder, name, `${tenant}.journal`));
          table.close();
        }
        connection.close();
        return found;
      } catch (error) {
        return { ...found, broken: error instanceof Error ? error.message.slice(0, 200) : String(error) };
      }
    }),
  );
};

const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0, // nothing was written since the table took all of it in
  );
