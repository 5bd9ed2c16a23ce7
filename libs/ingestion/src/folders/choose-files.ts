import { DOCUMENT_ENDINGS } from '@postmaster/contracts';
import picomatch from 'picomatch';
import type { FileChoice } from './folder-files.js';
import type { GivenFolder } from './folder.js';

const DOCUMENTS = `**/*.{${DOCUMENT_ENDINGS.join(',')}}`;
/** Dependencies of programs, and what office programs leave beside an open file. Hidden files are left out by themselves. */
const NEVER = ['**/node_modules/**', '**/~$*'];

/** The files of a folder that its patterns choose, in any case. Hidden ones are meant only by a pattern that names the dot. */
export const chooseFiles = ({ include, exclude }: Pick<GivenFolder, 'include' | 'exclude'>): FileChoice => {
  const options = { nocase: true };
  const included = picomatch(include.length > 0 ? include : [DOCUMENTS], options);
  const excluded = picomatch([...exclude, ...NEVER], { ...options, dot: true });
  const hidden = include.some((pattern) => /(?:^|\/)\./.test(pattern));
  return {
    takes: (path) => included(path) && !excluded(path),
    enters: (path) => (hidden || !path.slice(path.lastIndexOf('/') + 1).startsWith('.')) && !excluded(`${path}/x`),
  };
};
