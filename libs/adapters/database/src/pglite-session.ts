import type { TripHints } from '@postmaster/durable';
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import pg from 'pg';
import { serialize } from 'pg-protocol';
import type {
  BackendMessage,
  CommandCompleteMessage,
  DatabaseError,
  DataRowMessage,
  RowDescriptionMessage,
} from 'pg-protocol/dist/messages.js';
import { Parser } from 'pg-protocol/dist/parser.js';
import { KeptPlans, type Plan } from './kept-plans.js';
import { parameterText } from './parameter-text.js';

/** Bytes of the wire protocol in, bytes of its answer out. */
export type Exchange = (bytes: Uint8Array) => Promise<Uint8Array>;

const COMMIT = serialize.query('commit');

/**
 * A session over the wire protocol, one statement at a time. What a transaction begins with goes along with its first
 * statement and a commit, where nothing else follows, with its last; statements that come again keep their plans.
 */
export class PgliteSession implements DatabaseConnection {
  private readonly parser = new Parser();
  private readonly plans = new KeptPlans();
  private opening: Buffer | undefined;
  /** What the open transaction's plans are made for; undefined where that was not said. */
  private scope: string | undefined;
  private committed = false;

  constructor(
    private readonly exchange: Exchange,
    private readonly now: () => number = performance.now.bind(performance),
  ) {}

  async executeQuery<R>(query: CompiledQuery & TripHints): Promise<QueryResult<R>> {
    const { sql, parameters, opens, last } = query;
    if (opens !== undefined) {
      [this.opening, this.scope] = [serialize.query(sql), opens];
      return { rows: [] };
    }
    if (sql === 'commit' && this.committed) {
      this.committed = false;
      return { rows: [] };
    }
    const plan = parameters.length > 0 ? this.plans.planOf(this.scope, sql) : undefined;
    const statement = plan ? extended(plan, sql, parameters) : [serialize.query(sql)];
    const opening = this.opening ? [this.opening] : [];
    const messages = [...this.plans.due(this.now()), ...opening, ...statement, ...(last ? [COMMIT] : [])];
    this.opening = undefined;
    if (sql === 'commit' || sql === 'rollback') this.scope = undefined;
    const answers = await this.trip(messages);
    const error = answers.flat().find((answer): answer is DatabaseError => answer.name === 'error');
    if (error) {
      if (plan) this.plans.forget(plan);
      throw error;
    }
    this.committed = last === true;
    return resultOf<R>(answers.at(last ? -2 : -1) ?? []);
  }

  streamQuery(): AsyncIterableIterator<never> {
    throw new Error('The embedded database gives no streams.');
  }

  /** The answers to each statement. After one that failed the others have no effect, as their transaction is over. */
  private async trip(messages: readonly Buffer[]): Promise<BackendMessage[][]> {
    const answers: BackendMessage[][] = [];
    let statement: BackendMessage[] = [];
    this.parser.parse(Buffer.from(await this.exchange(Buffer.concat(messages))), (answer) => {
      statement.push(answer);
      if (answer.name !== 'readyForQuery') return;
      answers.push(statement);
      statement = [];
    });
    return answers;
  }
}

const extended = ({ name, isNew, closes }: Plan, sql: string, parameters: readonly unknown[]): Buffer[] => [
  ...closes.map((gone) => serialize.close({ type: 'S', name: gone })),
  ...(isNew ? [serialize.parse({ text: sql, name })] : []),
  serialize.bind({ statement: name, values: [...parameters], valueMapper: parameterText }),
  serialize.describe({ type: 'P' }),
  serialize.execute({}),
  serialize.sync(),
];

const resultOf = <R>(answers: readonly BackendMessage[]): QueryResult<R> => {
  const fields = answers.findLast(
    (answer): answer is RowDescriptionMessage => answer.name === 'rowDescription',
  )?.fields;
  const columns = fields?.map(({ name, dataTypeID }) => ({ name, read: pg.types.getTypeParser(dataTypeID, 'text') }));
  const rows: Record<string, unknown>[] = [];
  let affected: bigint | undefined;
  for (const answer of answers)
    if (answer.name === 'dataRow') {
      const values = (answer as DataRowMessage).fields as (string | null)[]; // null where the column is null
      const row: Record<string, unknown> = {};
      columns?.forEach(({ name, read }, at) => {
        const value = values[at] ?? null;
        row[name] = value === null ? null : read(value);
      });
      rows.push(row);
    } else if (answer.name === 'commandComplete') {
      const count = /^(?:INSERT \d+|UPDATE|DELETE|MERGE) (\d+)$/.exec((answer as CommandCompleteMessage).text)?.[1];
      if (count !== undefined) affected = BigInt(count);
    }
  return { rows: rows as R[], numAffectedRows: affected }; // the columns are what R was declared from
};
