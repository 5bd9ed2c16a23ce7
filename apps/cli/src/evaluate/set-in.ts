import { type EvaluationSet, readSet, SetFileError } from '@postmaster/evaluation';
import { usage } from '../cli-error.js';

/** The set in a folder. Throws SET_INVALID, naming file and line. */
export const setIn = (dir: string): Promise<EvaluationSet> =>
  readSet(dir).catch((error: unknown) => {
    if (error instanceof SetFileError)
      throw usage(error.message, 'Correct it; docs/evaluation.md tells what a set is made of.', 'SET_INVALID');
    throw error;
  });
