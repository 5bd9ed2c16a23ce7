import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const HERE = fileURLToPath(new URL('.', import.meta.url));

/** The commit of the checkout that this program runs from, "+" where files were changed since; null outside of one. */
export const commitOf = async (): Promise<string | null> => {
  const git = async (...args: string[]): Promise<string> =>
    (await promisify(execFile)('git', ['-C', HERE, ...args], { timeout: 10_000 })).stdout.trim();
  try {
    const [commit, changed] = [await git('rev-parse', 'HEAD'), await git('status', '--porcelain', '-uno')];
    return changed === '' ? commit : `${commit}+`;
  } catch {
    return null; // installed without git, or without its history
  }
};
