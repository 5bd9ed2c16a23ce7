import { CodedError } from '@postmaster/contracts';
import type { Lifecycle } from '@postmaster/service';

export interface RunningProcess {
  name: string;
  url: string;
  lifecycle: Lifecycle;
}

/** Runs until a signal ends it. An expected failure to start is said with its next step; the process ends with 1. */
export const runProcess = async (start: () => Promise<RunningProcess>): Promise<void> => {
  try {
    const { name, url, lifecycle } = await start();
    lifecycle.followSignals();
    process.stdout.write(`  ${name} runs at ${url}\n`);
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    const { code, message, next } = error;
    process.stderr.write(`\n  ${code}: ${message}\n  → ${next}\n\n`);
    process.exit(1);
  }
};
