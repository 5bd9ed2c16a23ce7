import { flatten, type NewBlock } from '../../plain-text.js';
import { blocksOfRows } from '../table-blocks.js';

/** How a paragraph is set: what decides its kind. */
export interface ParagraphSetting {
  isInTable: boolean;
  /** Of a heading: 1–6. */
  level: number | null;
  /** The bullet or number that the program drew before it; '' where there is none. */
  marker: string;
  /** 0-based depth of a list's item. */
  depth: number;
}

/** Collects the paragraphs, cells and notes of rich text, and what belongs together of them as blocks. */
export class RtfBlocks {
  private readonly blocks: NewBlock[] = [];
  private rows: string[][] = [];
  private row: string[] = [];
  private items: string[] = [];
  private notes: string[] = [];
  private cell = '';

  paragraph(text: string, { isInTable, level, marker, depth }: ParagraphSetting): void {
    if (isInTable) {
      this.cell += `${text}\n`;
      return;
    }
    const isItem = marker !== '' && text.trim() !== '';
    if (!isItem) this.closeList();
    this.closeTable();
    if (isItem) {
      this.closeNotes();
      const sign = /\d/.test(marker) ? marker : '-';
      this.items.push(`${'  '.repeat(Math.min(depth, 8))}${sign} ${flatten(text)}`);
    } else if (level !== null) this.blocks.push({ kind: 'heading', text: flatten(text), level });
    else this.blocks.push({ kind: 'text', text });
    if (!isItem) this.closeNotes();
  }

  endCell(text: string): void {
    this.row.push(this.cell + text);
    this.cell = '';
  }

  endRow(): void {
    this.closeList();
    this.rows.push(this.row);
    this.row = [];
  }

  /** A footnote: it stands after the paragraph or table that it belongs to. */
  note(text: string): void {
    this.notes.push(text);
  }

  close(): NewBlock[] {
    if (this.row.length > 0) this.endRow();
    this.closeList();
    this.closeTable();
    this.closeNotes();
    return this.blocks;
  }

  private closeList(): void {
    if (this.items.length > 0) this.blocks.push({ kind: 'list', text: this.items.join('\n') });
    this.items = [];
  }

  private closeTable(): void {
    this.blocks.push(...blocksOfRows(this.rows));
    this.rows = [];
  }

  private closeNotes(): void {
    this.blocks.push(...this.notes.map((text): NewBlock => ({ kind: 'text', text })));
    this.notes = [];
  }
}
