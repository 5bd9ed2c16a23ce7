import { CodedError } from '@postmaster/contracts';

/** Throws NOT_FOUND for what is not the hash of anything, before it gets into a path or a key. */
export const requireHash = (hash: string): string => {
  if (!/^[0-9a-f]{64}$/.test(hash)) throw nothingOf(hash);
  return hash;
};

export const nothingOf = (hash: string): CodedError =>
  new CodedError('NOT_FOUND', `No bytes are kept under "${hash}".`);
