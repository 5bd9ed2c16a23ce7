import { mkdirSync } from 'node:fs';
import { type ServingProcess, startServing } from '@postmaster/testing';

/** A process of the cluster: one replica of a service. */
export interface Replica {
  readonly service: string;
  /** Its place among the service's replicas, from 1. */
  readonly number: number;
  /** Where it serves; undefined while it doesn't run. */
  url(): string | undefined;
  /** What it printed and logged, over all of its starts. */
  output(): string;
  /** Runs until it serves. Throws where it ends before, with what it said. */
  start(): Promise<void>;
  /** SIGKILL unless told; resolves with the exit code when it is gone, null for a killed one. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

export interface ReplicaOptions {
  service: string;
  number: number;
  /** The program's file. */
  main: string;
  env: Record<string, string>;
  /** A folder of its own. */
  folder: string;
  startWithinMs?: number;
}

export const replicaOf = ({ service, number, main, env, folder, startWithinMs = 150_000 }: ReplicaOptions): Replica => {
  const runs: ServingProcess[] = [];
  let running: ServingProcess | undefined;
  return {
    ...{ service, number },
    url: () => running?.url,
    output: () => runs.map((run) => run.output()).join(''),
    start: async () => {
      mkdirSync(folder, { recursive: true });
      const started = await startServing({
        ...{ main, cwd: folder, startWithinMs },
        env: { HOME: folder, PORT: '0', POSTMASTER_DATA: folder, LOG_LEVEL: 'warn', ...env },
      });
      runs.push(started);
      running = started;
      void started.exited.then(() => {
        if (running === started) running = undefined;
      });
    },
    end: async (signal = 'SIGKILL') => {
      const ending = running;
      running = undefined;
      return ending ? ending.end(signal) : null;
    },
  };
};
