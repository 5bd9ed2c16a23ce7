import { serialize } from 'pg-protocol';

/** Each holds some tens of kilobytes in the database. */
const MOST_PLANS = 200;
/** Plans are made for tables as large as they are then: they are made anew this often. */
const FRESH_MS = 15_000;
const DISCARD = serialize.query('discard plans');

export interface Plan {
  key: string;
  /** Of a prepared statement; empty for one that is made for this time only. */
  name: string;
  isNew: boolean;
  /** Prepared statements that are no longer wanted. */
  closes: readonly string[];
}

/**
 * Which statements of a session are prepared, by text and by what a plan is made for. Parsing and planning is most of
 * what a short statement costs: a claim of jobs takes an eighth of the time without.
 */
export class KeptPlans {
  /** The name of each; empty for what came once. The longest unused first. */
  private readonly names = new Map<string, string>();
  private unwanted: string[] = [];
  private made = 0;
  private fresh = 0;

  /** Without a `scope` nobody knows whether a plan would do for the next time. */
  planOf(scope: string | undefined, sql: string): Plan {
    const key = `${scope ?? ''} ${sql}`;
    if (scope === undefined) return { key, name: '', isNew: true, closes: [] };
    const before = this.names.get(key);
    const name = before === '' ? `plan ${++this.made}` : (before ?? '');
    this.names.delete(key);
    this.names.set(key, name);
    const [oldest] = this.names.keys();
    if (this.names.size > MOST_PLANS && oldest !== undefined) this.drop(oldest);
    const closes = this.unwanted;
    this.unwanted = [];
    return { key, name, isNew: !before, closes };
  }

  /** After a failure: it may not have been made. */
  forget({ key }: Plan): void {
    this.drop(key);
  }

  /** What is to be sent first, where the plans are old. */
  due(now: number): Buffer[] {
    if (now - this.fresh < FRESH_MS) return [];
    this.fresh = now;
    return [DISCARD];
  }

  private drop(key: string): void {
    const name = this.names.get(key);
    this.names.delete(key);
    if (name) this.unwanted.push(name);
  }
}
