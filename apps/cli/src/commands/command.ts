import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import type { ExitCode } from '../exit-codes.js';
import type { Session } from '../session.js';

/** Runs a command's act in a session. */
export type Run = (options: { json?: boolean }, act: (session: Session) => Promise<ExitCode>) => Promise<void>;

/** Adds a command to the program. */
export type AddCommand = (program: Command, run: Run) => void;

/** What every command has: --json, and examples after its help. */
export const finish = (command: Command, examples: readonly string[]): Command =>
  command
    .option('--json', 'print one JSON value and nothing else')
    .addHelpText('after', `\nExamples:\n${examples.map((example) => `  $ postmaster ${example}`).join('\n')}\n`);

/** A whole number of an option, between two bounds. */
export const wholeNumber =
  (least: number, most: number) =>
  (text: string): number => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It should be a whole number from ${least} to ${most}.`);
  };

/** A number of an option, from 0 to 1. */
export const share = (text: string): number => {
  const value = Number(text);
  if (text.trim() !== '' && value >= 0 && value <= 1) return value;
  throw new InvalidArgumentError('It should be a number from 0 to 1.');
};

/** Gathers `name=value` of an option that may be given several times; true, false and numbers are what they look like. */
export const metadataFields = (
  text: string,
  before: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> => {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError('It should be of the form name=value.');
  return { ...before, [name]: scalarOf(value) };
};

const scalarOf = (value: string): unknown => {
  if (value === 'true' || value === 'false') return value === 'true';
  return /^-?(0|[1-9]\d{0,14})(\.\d+)?$/.test(value) ? Number(value) : value;
};

/** Gathers an option that may be given several times. */
export const several = (text: string, before: readonly string[] = []): string[] => [...before, text];
