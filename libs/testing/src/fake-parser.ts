import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { CodedError } from '@postmaster/contracts';
import type {
  Block,
  FoundAttachment,
  KeepAttachment,
  ParsedDocument,
  ParseLimits,
  Parser,
} from '@postmaster/ingestion';

/** Reads text whose paragraphs are parted by blank lines, and keeps count. A line "file NAME: TEXT" is a file within it. */
export class FakeParser implements Parser {
  /** The names of what was read, in order. */
  readonly read: string[] = [];
  /** Thrown for every file while it is set. */
  failure: Error | CodedError | undefined;
  /** Awaited by every call, so that a test can have something happen meanwhile. */
  during: (name: string) => Promise<void> | void = () => {};
  /** What is added to every document. */
  facts: Partial<ParsedDocument> = {};

  async parse(
    { path, name }: { path: string; name: string },
    _limits: ParseLimits,
    _signal?: AbortSignal,
    keep?: KeepAttachment,
  ): Promise<ParsedDocument> {
    this.read.push(name);
    const text = await readFile(path, 'utf8');
    await this.during(name);
    if (this.failure) throw this.failure;
    const attachments = filesIn(text);
    for (const [file, content] of keep ? attachments : []) await keep?.(file, Readable.from([Buffer.from(content)]));
    const blocks: Block[] = [...text.matchAll(/[^\n]+/g)].map(({ 0: line, index }) => ({
      kind: 'text',
      start: index,
      end: index + line.length,
    }));
    const facts = { contentType: 'text/plain', title: null, createdAt: null, language: 'en', metadata: {} };
    const found = attachments.length > 0 ? { attachments: attachments.map(([file]) => file) } : {};
    return { ...facts, text, blocks, ...found, ...this.facts };
  }

  async close(): Promise<void> {}
}

const filesIn = (text: string): [FoundAttachment, string][] =>
  [...text.matchAll(/^file (\S+): (.*)$/gm)].map(([, path = '', content = '']) => [
    { path, name: path.slice(path.lastIndexOf('/') + 1), contentType: null, bytes: content.length },
    content,
  ]);
