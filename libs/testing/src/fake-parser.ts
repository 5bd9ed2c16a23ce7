import { readFile } from 'node:fs/promises';
import type { CodedError } from '@postmaster/contracts';
import type { Block, ParsedDocument, Parser } from '@postmaster/ingestion';

/** Reads text whose paragraphs are parted by blank lines, and keeps count. */
export class FakeParser implements Parser {
  /** The names of what was read, in order. */
  readonly read: string[] = [];
  /** Thrown for every file while it is set. */
  failure: Error | CodedError | undefined;
  /** Awaited by every call, so that a test can have something happen meanwhile. */
  during: (name: string) => Promise<void> | void = () => {};
  /** What is added to every document. */
  facts: Partial<ParsedDocument> = {};

  async parse({ path, name }: { path: string; name: string }): Promise<ParsedDocument> {
    this.read.push(name);
    const text = await readFile(path, 'utf8');
    await this.during(name);
    if (this.failure) throw this.failure;
    const blocks: Block[] = [...text.matchAll(/[^\n]+/g)].map(({ 0: line, index }) => ({
      kind: 'text',
      start: index,
      end: index + line.length,
    }));
    const facts = { contentType: 'text/plain', title: null, createdAt: null, language: 'en', metadata: {} };
    return { ...facts, text, blocks, ...this.facts };
  }

  async close(): Promise<void> {}
}
