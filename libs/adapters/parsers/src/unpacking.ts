import { CodedError } from '@postmaster/contracts';
import type { FoundAttachment } from '@postmaster/ingestion';
import { safePath } from './safe-path.js';

/** Of one mail or archive, archives within an archive counted in. */
export const UNPACKING = {
  files: 1_000,
  bytes: 1024 * 1024 * 1024,
  /** Archives in archives. */
  depth: 3,
} as const;

/** Where a format leaves the files that it finds in a document. */
export interface Unpacking {
  /** Null where nothing is to be unpacked; `add` then only lists. */
  readonly refusal: CodedError | null;
  /** Takes a file, under a name made safe and unlike the others'; beyond the limits it is listed with the reason. */
  add(file: { path: string; contentType: string | null; bytes: Uint8Array }): void;
  /** Lists a file that can't be had. */
  refuse(path: string, why: CodedError): void;
  /** All of the above in order. */
  readonly found: readonly FoundAttachment[];
}

/** `write` keeps the bytes of the file that is at this place in `found`. */
export const unpackTo = (
  write: (place: number, bytes: Uint8Array) => void,
  { refusal = null }: { refusal?: CodedError | null } = {},
): Unpacking => {
  const found: FoundAttachment[] = [];
  const paths = new Set<string>();
  let files = 0;
  let total = 0;
  const list = (path: string, contentType: string | null, bytes: number, why: CodedError | null): void => {
    const own = unlike(paths, safePath(path));
    paths.add(own);
    const name = own.slice(own.lastIndexOf('/') + 1);
    found.push({ path: own, name, contentType, bytes, ...(why && { failure: why.toFailure() }) });
  };
  return {
    refusal,
    found,
    add: ({ path, contentType, bytes }) => {
      const fits = files < UNPACKING.files && total + bytes.byteLength <= UNPACKING.bytes;
      const why = refusal ?? (fits ? null : tooMuch());
      if (!why) {
        files++;
        total += bytes.byteLength;
        write(found.length, bytes);
      } else if (found.length >= 2 * UNPACKING.files) return; // the list itself has an end
      list(path, contentType, bytes.byteLength, why);
    },
    refuse: (path, why) => {
      if (found.length < 2 * UNPACKING.files) list(path, null, 0, why);
    },
  };
};

const tooMuch = (): CodedError =>
  new CodedError(
    'ARCHIVE_TOO_LARGE',
    `More than ${UNPACKING.files} files or ${UNPACKING.bytes / 1024 ** 2} MB are in it; this one is left out.`,
  );

/** "scan.pdf", "scan (2).pdf" … */
const unlike = (taken: ReadonlySet<string>, path: string): string => {
  if (!taken.has(path)) return path;
  const dot = path.lastIndexOf('.');
  const end = dot > path.lastIndexOf('/') + 1 ? dot : path.length;
  for (let count = 2; ; count++) {
    const other = `${path.slice(0, end)} (${count})${path.slice(end)}`;
    if (!taken.has(other)) return other;
  }
};

/** Lists what there is and keeps none of it. */
export const notUnpacked = (): Unpacking =>
  unpackTo(() => {}, {
    refusal: new CodedError('NESTED_TOO_DEEP', 'It lies within more mails or archives than are opened.'),
  });
