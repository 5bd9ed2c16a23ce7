import { CodedError } from '@postmaster/contracts';
import type { Format } from '../format.js';
import { writeBlocks } from '../plain-text.js';
import { safePath } from '../safe-path.js';
import { UNPACKING, type Unpacking } from '../unpacking.js';
import { readZipEntries, type ZipEntry } from '../zip.js';

/** What archives hold that are one document or program, of a kind that is not read here. */
const PACKAGE =
  /^(\[Content_Types\]\.xml|_rels\/\.rels|(word|ppt|xl)\/[^/]+\.xml|mimetype|META-INF\/(MANIFEST\.MF|container\.xml)|AndroidManifest\.xml)$/;
/** What file systems leave behind. */
const LITTER = /(^|\/)(__MACOSX\/|\.DS_Store$|Thumbs\.db$|desktop\.ini$|\._)/i;
/** Text is packed to a tenth, logs to a thirtieth; beyond this only a bomb is. Small archives are let be. */
const MAX_RATIO = 100;
const SMALL = 16 * 1024 * 1024;
/** Names that the archive is found by; the rest are in the list of its documents. */
const NAMES = 200;

/**
 * An archive: each file of it is a document of its own, those of archives within it as well, under both names. It is
 * taken whole or, where it goes beyond a limit anywhere, not at all.
 */
export const zip: Format = {
  contentType: 'application/zip',
  extensions: ['zip'],
  matches: ({ zip: entries }) => entries !== null && !entries.some(({ name }) => PACKAGE.test(name)),
  parse: async ({ zip: entries, bytes }, unpacking) => {
    if (unpacking.refusal) throw unpacking.refusal;
    const budget = {
      files: 0,
      bytes: 0,
      most: Math.min(UNPACKING.bytes, Math.max(SMALL, bytes.byteLength * MAX_RATIO)),
    };
    unpack(entries ?? [], '', 1, budget, unpacking);
    const names = unpacking.found.map(({ path }) => path);
    if (names.length === 0) throw new CodedError('NO_TEXT', 'The archive holds no files.');
    const failures = unpacking.found.map(({ failure }) => failure);
    if (failures.every((failure) => failure?.code === 'PASSWORD_NEEDED')) throw locked();
    const list = names.slice(0, NAMES).map((name) => `- ${name}`);
    return {
      ...writeBlocks([{ kind: 'list', text: list.join('\n') }]),
      title: null,
      createdAt: null,
      metadata: {},
    };
  },
};

interface Budget {
  files: number;
  bytes: number;
  most: number;
}

const unpack = (
  entries: readonly ZipEntry[],
  folder: string,
  depth: number,
  budget: Budget,
  unpacking: Unpacking,
): void => {
  const files = entries.filter(({ name }) => !/[/\\]$/.test(name) && !LITTER.test(name));
  budget.files += files.length;
  if (budget.files > UNPACKING.files) throw tooLarge(`more than ${UNPACKING.files} files`);
  const declared = files.reduce((sum, { size }) => sum + size, 0);
  if (budget.bytes + declared > budget.most) throw tooMany(budget);
  for (const entry of files) {
    const path = `${folder}${safePath(entry.name)}`;
    if (entry.isEncrypted) unpacking.refuse(path, locked());
    else {
      const bytes = unpackEntry(entry, budget);
      const inner = nested(bytes);
      if (inner === null) unpacking.add({ path, contentType: null, bytes });
      else if (depth < UNPACKING.depth) unpack(inner, `${path}/`, depth + 1, budget, unpacking);
      else {
        const message = `"${path}" is an archive in ${UNPACKING.depth} others.`;
        throw new CodedError('NESTED_TOO_DEEP', message);
      }
    }
  }
};

/** An archive of documents, not a document that is stored as one. */
const nested = (bytes: Uint8Array): ZipEntry[] | null => {
  const entries = readZipEntries(bytes);
  return entries?.some(({ name }) => PACKAGE.test(name)) ? null : entries;
};

/** Sizes in an archive's headers may lie: what comes out counts. */
const unpackEntry = (entry: ZipEntry, budget: Budget): Uint8Array => {
  const left = budget.most - budget.bytes;
  let bytes: Uint8Array;
  try {
    bytes = entry.read(Math.max(1, Math.min(left, entry.size)));
  } catch (cause) {
    if (!isBeyond(cause)) throw cause;
    if (left <= entry.size) throw tooMany(budget);
    throw lying(entry);
  }
  budget.bytes += bytes.byteLength;
  return bytes;
};

/** As zlib says it, and as `read` does for what is stored unpacked. */
const isBeyond = (cause: unknown): boolean =>
  cause instanceof RangeError &&
  (('code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE') || cause.message.startsWith('more than'));

const lying = ({ name, size }: ZipEntry): CodedError =>
  new CodedError(
    'DOCUMENT_BROKEN',
    `"${safePath(name)}" unpacks to more than the ${size} bytes that the archive declares.`,
  );

const tooMany = ({ most }: Budget): CodedError =>
  tooLarge(`more than ${Math.floor(most / 1024 ** 2)} MB once unpacked`);

const tooLarge = (what: string): CodedError => new CodedError('ARCHIVE_TOO_LARGE', `The archive holds ${what}.`);

const locked = (): CodedError => new CodedError('PASSWORD_NEEDED', 'It is protected by a password.');
