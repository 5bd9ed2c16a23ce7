import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { CodedError } from '@postmaster/contracts';
import { z } from 'zod';
import { VARIABLES, type VariableName } from './variables.js';

/** The values of the chosen variables, by their names. */
export type Config<N extends VariableName = VariableName> = z.output<z.ZodObject<Pick<typeof VARIABLES, N>>>;

/** The environment, and what `.env` adds to it; a variable that is set to nothing is one that is not set. */
export const readEnvironment = (file = '.env', env = process.env): Record<string, string> => ({
  ...envFile(file),
  ...withoutEmpty(env),
});

/** Reads an app's configuration, once, at its start. Throws CONFIG_INVALID, which names every wrong variable. */
export const readConfig = <N extends VariableName>(
  names: readonly N[],
  environment: Record<string, string> = readEnvironment(),
): Config<N> => {
  const schema = z.object(Object.fromEntries(names.map((name) => [name, VARIABLES[name]])));
  const read = schema.safeParse(environment);
  // The schema was made of just these names; their types are lost on the way through fromEntries.
  if (read.success) return read.data as Config<N>;
  const wrong = [...new Set(read.error.issues.map(({ path }) => path[0] as VariableName))];
  throw new CodedError('CONFIG_INVALID', wrong.map((name) => complaint(name, environment[name])).join('\n'));
};

/** Values that hold a secret, or an address that may, are not repeated. */
const CONFIDENTIAL = /KEY|SECRET|PASSWORD|URL|ENDPOINT|FALLBACK/;

const complaint = (name: VariableName, given: string | undefined): string => {
  const said = given === undefined ? 'is not set' : CONFIDENTIAL.test(name) ? 'is set wrongly' : `is "${given}"`;
  return `${name} ${said}; it should be ${formOf(name)} (${defaultOf(name)}).`;
};

const formOf = (name: VariableName): string => {
  const inner = unwrapped(VARIABLES[name]);
  if (inner instanceof z.ZodEnum) return `one of ${inner.options.join(', ')}`;
  return inner.description ?? 'set otherwise';
};

const defaultOf = (name: VariableName): string => {
  const unset = VARIABLES[name].safeParse(undefined);
  return unset.success && unset.data !== undefined ? `default ${unset.data}` : 'default none';
};

/** A schema inside `.default()` or `.optional()`, which carries the description. */
const unwrapped = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodDefault || schema instanceof z.ZodOptional
    ? (schema.unwrap() as z.ZodType) // zod types it as its core's wider one
    : schema;

const envFile = (file: string): Record<string, string> => {
  try {
    return withoutEmpty(parseEnv(readFileSync(file, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
};

const withoutEmpty = (all: NodeJS.Dict<string>): Record<string, string> =>
  Object.fromEntries(Object.entries(all).flatMap(([name, value]) => (value ? [[name, value]] : [])));
