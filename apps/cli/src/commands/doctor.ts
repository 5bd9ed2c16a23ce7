import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { Finding } from '@postmaster/doctor';
import { Stopped, usage } from '../cli-error.js';
import { findServer } from '../client/find-server.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { Session } from '../session.js';
import { doctorSummary, findingText } from '../terminal/finding-text.js';
import { type AddCommand, finish } from './command.js';

interface Options {
  replicas?: string;
  pools?: string;
  model: boolean;
  write?: boolean;
  json?: boolean;
}

export const addDoctor: AddCommand = (program, run) => {
  const command = program
    .command('doctor')
    .description(
      'Check every dependency that the environment and .env name, and say what is wrong. Run it where the services run.',
    )
    .option('--replicas <counts>', 'the most replicas of services, as tenants=2,ingestion=6 (POSTMASTER_REPLICAS)')
    .option('--pools <counts>', 'connections of each replica to Postgres, as tenants=5 (POSTMASTER_POOLS)')
    .option('--no-model', 'do not call the language model')
    .option('--write', 'store a few bytes where blobs lie, read them, and remove them again');
  finish(command, [
    'doctor',
    'doctor --replicas tenants=1,ingestion=2 --no-model',
    'doctor --json | jq \'.findings[] | select(.state == "fail")\'',
  ]).action((options: Options) => run(options, (session) => runDoctor(session, options)));
};

const runDoctor = async ({ surroundings, screen }: Session, options: Options): Promise<ExitCode> => {
  const { examine, parseCounts } = await import('@postmaster/doctor'); // every client there is: no other command needs it
  const countsOf = (name: 'replicas' | 'pools') => {
    try {
      return parseCounts(`--${name}`, options[name] ?? '');
    } catch (error) {
      throw usage((error as Error).message, `Write it as --${name} tenants=2,ingestion=6.`);
    }
  };
  const examined = examine({
    ...{ env: surroundings.env, cwd: surroundings.cwd, model: options.model, write: options.write },
    ...{ replicas: countsOf('replicas'), pools: countsOf('pools'), notedData: await notedData(surroundings) },
  });
  const stopped = new Promise<never>((_, reject) => {
    surroundings.signal.addEventListener('abort', () => reject(new Stopped()), { once: true });
  });
  stopped.catch(() => {}); // nobody may be waiting when it comes
  const findings: Finding[] = [];
  for (const one of examined) {
    const found = await Promise.race([one, stopped]);
    findings.push(...found);
    for (const finding of found) screen.piece(`${findingText(finding, screen)}\n`);
  }
  const well = findings.every(({ state }) => state !== 'fail');
  screen.result({ ok: well, findings }, () => `\n${doctorSummary(findings, screen.paint)}`);
  return well ? EXIT.ok : EXIT.failed;
};

/** The data of the server that noted itself, where none are in the present folder. */
const notedData = async ({ cwd, home }: Session['surroundings']): Promise<string | undefined> => {
  const here = await access(join(cwd, '.postmaster', 'postmaster.json')).then(
    () => true,
    () => false,
  );
  if (here) return undefined;
  return findServer({ env: {}, home }).then(
    ({ data }) => data,
    () => undefined,
  );
};
