import { CommanderError } from 'commander';
import { CliError, Stopped, usage } from './cli-error.js';
import type { Run } from './commands/command.js';
import { EXIT, type ExitCode } from './exit-codes.js';
import { programOf } from './program.js';
import { sessionOf } from './session.js';
import type { Surroundings } from './surroundings.js';
import { paintFor } from './terminal/colours.js';
import { oneLine } from './terminal/printable.js';

/** Runs the command line with its arguments and gives the exit code. Never throws, and ends no process. */
export const runCli = async (
  args: readonly string[],
  surroundings: Surroundings,
  version: string,
): Promise<ExitCode> => {
  let exitCode: ExitCode = EXIT.ok;
  const run: Run = async ({ json = false }, act) => {
    exitCode = await act(sessionOf(surroundings, json));
  };
  try {
    await programOf(surroundings, version, run).parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    return tell(error, args.includes('--json'), surroundings);
  }
};

/** `code: message` and `→ next` on stderr; with --json the same as the one value on stdout. */
const tell = (thrown: unknown, json: boolean, { stdout, stderr, env, signal }: Surroundings): ExitCode => {
  if (thrown instanceof Stopped || signal.aborted) {
    const goesOn = thrown instanceof Stopped && thrown.goesOn ? ` ${thrown.goesOn}` : '';
    stderr.write(`Stopped.${goesOn}\n`);
    if (json)
      stdout.write(
        `${JSON.stringify({ error: { code: 'STOPPED', message: `Stopped.${goesOn}`, next: 'Run it again.' } })}\n`,
      );
    return EXIT.stopped;
  }
  if (
    thrown instanceof CommanderError &&
    ['commander.helpDisplayed', 'commander.help', 'commander.version'].includes(thrown.code)
  )
    return thrown.exitCode === 0 ? EXIT.ok : EXIT.usage; // without any command it shows its help
  const error = cliErrorOf(thrown);
  const paint = paintFor(stderr, env);
  stderr.write(`${paint.red(error.code)}: ${oneLine(error.message)}\n→ ${oneLine(error.next)}\n`);
  if (json) stdout.write(`${JSON.stringify({ error: error.toFailure() }, null, 2)}\n`);
  return error.exitCode;
};

const cliErrorOf = (thrown: unknown): CliError => {
  if (thrown instanceof CliError) return thrown;
  if (thrown instanceof CommanderError)
    return usage(
      thrown.message.replace(/^error: /, ''),
      '`postmaster --help` shows the commands, `postmaster <command> --help` its options.',
    );
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new CliError('UNEXPECTED', message, 'Run it again; if it stays, report it with the command that you ran.');
};
