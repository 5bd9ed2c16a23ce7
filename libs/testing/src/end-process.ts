import type { ChildProcess } from 'node:child_process';

/** Sends the signal and resolves when the process is gone; at once where it is already. */
export const endProcess = async (child: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> => {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await exited;
};
