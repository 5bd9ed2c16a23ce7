import type { Table } from '@lancedb/lancedb';
import { rowReader } from './row-reader.js';

/**
 * Which row of one version of a table has which point, in some 150 bytes a point. A search names rows by their number,
 * which LanceDB has at hand; an id has to be read from the disk for each row and leg, or looked up for each candidate.
 */
export class TableRows {
  private readonly ids = new Map<number, string>();
  private readonly numbers = new Map<string, number>();

  static async of(table: Table): Promise<TableRows> {
    const found = new TableRows();
    for await (const batch of table.query().select(['id']).withRowId()) {
      const { rows, strings, numbers } = rowReader(batch);
      const [id, number] = [strings('id'), numbers(ROW_NUMBER)];
      for (let row = 0; row < rows; row++) found.set(number(row), id(row));
    }
    return found;
  }

  idOf(number: number): string {
    const id = this.ids.get(number);
    if (id === undefined) throw new Error(`The table's version has no row ${number}.`);
    return id;
  }

  numberOf(id: string): number | undefined {
    return this.numbers.get(id);
  }

  private set(number: number, id: string): void {
    this.ids.set(number, id);
    this.numbers.set(id, number);
  }
}

/** The column that a query with row ids answers with. */
export const ROW_NUMBER = '_rowid';
