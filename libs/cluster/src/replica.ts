import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';

/** A process of the cluster: one replica of a service. */
export interface Replica {
  readonly service: string;
  /** Its place among the service's replicas, from 1. */
  readonly number: number;
  /** Where it serves; undefined while it doesn't run. */
  url(): string | undefined;
  /** What it printed and logged, the last of it. */
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

const KEPT_CHARACTERS = 200_000;

export const replicaOf = ({ service, number, main, env, folder, startWithinMs = 60_000 }: ReplicaOptions): Replica => {
  let child: ChildProcess | undefined;
  let output = '';
  let url: string | undefined;

  const served = (started: ChildProcess): Promise<string> =>
    new Promise((resolve, reject) => {
      const end = (): void => {
        clearInterval(look);
        clearTimeout(late);
      };
      const since = output.length;
      const look = setInterval(() => {
        const found = /runs at (http:\S+)/.exec(output.slice(since))?.[1];
        if (!found) return;
        end();
        resolve(found);
      }, 20);
      const late = setTimeout(() => {
        end();
        reject(new Error(`${service} ${number} did not start: ${output.slice(since)}`));
      }, startWithinMs);
      started.once('exit', (code) => {
        end();
        reject(new Error(`${service} ${number} ended with ${code}: ${output.slice(since)}`));
      });
    });

  return {
    service,
    number,
    url: () => url,
    output: () => output,
    start: async () => {
      mkdirSync(folder, { recursive: true });
      const started = spawn(process.execPath, [main], {
        cwd: folder,
        env: { PATH: process.env.PATH, HOME: folder, PORT: '0', POSTMASTER_DATA: folder, LOG_LEVEL: 'warn', ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      child = started;
      for (const stream of [started.stdout, started.stderr])
        stream.on('data', (bytes: Buffer) => {
          output += bytes.toString();
          if (output.length > 2 * KEPT_CHARACTERS) output = output.slice(-KEPT_CHARACTERS);
        });
      started.once('exit', () => {
        if (child === started) url = undefined;
      });
      url = await served(started);
    },
    end: (signal = 'SIGKILL') =>
      new Promise((resolve) => {
        const ending = child;
        url = undefined;
        if (!ending || ending.exitCode !== null || ending.signalCode !== null) return resolve(ending?.exitCode ?? null);
        ending.once('exit', resolve);
        ending.kill(signal);
      }),
  };
};
