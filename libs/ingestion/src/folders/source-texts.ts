import { createHash } from 'node:crypto';
import { CodedError, type TenantId } from '@postmaster/contracts';
import type { ParsedDocument, ParseLimits, Parser } from '../block.js';
import { type CodePoints, codePointsOf } from '../chunk/index.js';
import { sectionsOf } from '../chunk/sections.js';
import type { SourceFile } from '../rows/sources.js';
import { isSame } from './compare-files.js';
import type { FileState, FolderFiles } from './folder-files.js';

/** The plain text of a document that is stored by reference. */
export interface SourceText {
  text: string;
  points: CodePoints;
  /** The headings above what starts there, outermost first. */
  trailAt(start: number): string[];
}

/** Which bytes are meant: those that a version of a document was made of. */
export interface WantedSource {
  file: SourceFile;
  name: string;
  /** Hex SHA-256. */
  hash: string;
}

/** Throws SOURCE_GONE, SOURCE_CHANGED, and what parsing throws. */
export type ReadSource = (tenant: TenantId, wanted: WantedSource) => Promise<SourceText>;

interface SourcePorts {
  files: FolderFiles;
  parser: Parser;
  limits: ParseLimits;
  /** Of texts that are kept, about; 64 MB. */
  cacheBytes?: number;
}

interface Kept extends SourceText {
  state: FileState;
  hash: string;
  bytes: number;
}

/**
 * Reads files anew, the way they were read first, so that offsets count in the same text. The texts used last are kept
 * in memory as long as their files stay as they are, which is looked at each time. Asked for at once, a file is read once.
 */
export const readSources = ({ files, parser, limits, cacheBytes = 64 * 1024 ** 2 }: SourcePorts): ReadSource => {
  const kept = new Map<string, Kept>(); // in the order of their last use
  const coming = new Map<string, Promise<Kept>>();
  let bytes = 0;

  const drop = (key: string): void => {
    bytes -= kept.get(key)?.bytes ?? 0;
    kept.delete(key);
  };
  const keep = (key: string, one: Kept): void => {
    drop(key);
    kept.set(key, one);
    bytes += one.bytes;
    for (const oldest of kept.keys()) {
      if (bytes <= cacheBytes) break;
      drop(oldest);
    }
  };
  const load = async (tenant: TenantId, { file, name }: WantedSource, state: FileState): Promise<Kept> => {
    // A file with the very state that was accepted has the bytes that were: that much is trusted of a file system.
    const found = isSame(state, file) ? file.hash : await hashOfFile(files, tenant, file);
    const parsed = await files.local(tenant, file.root, file.path, state, (path) =>
      parser.parse({ path, name }, limits),
    );
    return { ...sourceText(parsed), state, hash: found, bytes: 2 * parsed.text.length + 100 * parsed.blocks.length };
  };

  return async (tenant, wanted) => {
    const { file } = wanted;
    const state = await files.look(tenant, file.root, file.path);
    if (!state) throw new CodedError('SOURCE_GONE', `The file "${wanted.name}" is gone.`);
    const place = `${tenant} ${file.root} ${file.path}`;
    let one = kept.get(place);
    if (!one || !isSame(one.state, state)) {
      const key = `${place} ${state.size} ${state.mtimeMs} ${wanted.hash}`;
      const loading = coming.get(key) ?? load(tenant, wanted, state).finally(() => coming.delete(key));
      coming.set(key, loading);
      one = await loading;
    }
    keep(place, one);
    if (one.hash === wanted.hash) return one;
    throw new CodedError('SOURCE_CHANGED', `The file "${wanted.name}" has changed since it was read.`);
  };
};

const sourceText = ({ text, blocks }: ParsedDocument): SourceText => {
  const points = codePointsOf(text);
  const sections = sectionsOf(blocks, points).map(({ trail, parts }) => ({ trail, start: parts[0]?.start ?? 0 }));
  return { text, points, trailAt: (start) => sections.findLast((section) => section.start <= start)?.trail ?? [] };
};

const hashOfFile = async (files: FolderFiles, tenant: TenantId, { root, path }: SourceFile): Promise<string> => {
  const hash = createHash('sha256');
  const { bytes } = await files.open(tenant, root, path);
  for await (const chunk of bytes) hash.update(chunk as Buffer); // the stream has no encoding
  return hash.digest('hex');
};
