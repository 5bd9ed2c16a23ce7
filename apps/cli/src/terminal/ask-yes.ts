import { createInterface } from 'node:readline/promises';
import { Stopped, usage } from '../cli-error.js';
import type { Surroundings } from '../surroundings.js';

/** Asks on the terminal; without one it refuses, because nobody could have answered. */
export const askYes = async (
  { stdin, stderr, signal }: Pick<Surroundings, 'stdin' | 'stderr' | 'signal'>,
  question: string,
): Promise<boolean> => {
  if (!stdin.isTTY || !stderr.isTTY)
    throw usage(`${question} Nobody is there to answer.`, 'Add `--yes` to agree beforehand; nothing was done.');
  const lines = createInterface({ input: stdin, output: stderr });
  try {
    const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
    const interrupted = new Promise<never>((_, reject) => lines.once('SIGINT', () => reject(new Stopped())));
    const answer = await Promise.race([lines.question(`${question} [y/N] `, { signal }), ended, interrupted]);
    return /^y(es)?$/i.test(answer.trim());
  } catch (error) {
    throw signal.aborted ? new Stopped() : error;
  } finally {
    lines.close();
  }
};
