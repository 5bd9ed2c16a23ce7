import type { Writable } from 'node:stream';
import type { LoggerService } from '@nestjs/common';
import { type Logger, pino } from 'pino';
import { PinoPretty } from 'pino-pretty';
import { traceOfLine } from './tracing/trace-headers.js';

export type Log = Logger;

const SECRET_KEYS = ['authorization', 'x-api-key', 'apiKey', 'token', 'secret', 'cookie'];
/** How deep in what is logged a secret is still found. */
const DEPTHS = ['', '*', '*.*', '*.*.*'];

const redacted = DEPTHS.flatMap((depth) =>
  SECRET_KEYS.map((key) => (key.includes('-') ? `${depth}["${key}"]` : depth === '' ? key : `${depth}.${key}`)),
);

export interface LogOptions {
  /** The process, or its part. */
  name: string;
  level: string;
  /** Lines for a person; JSON otherwise. A terminal, unless told. */
  pretty?: boolean;
  /** Where the lines go; standard output unless told. */
  to?: Writable;
}

/**
 * A log whose lines carry no secrets under their usual names, and the trace they were written in, where there is one.
 * `log.child({ requestId })` follows one request.
 */
export const createLog = ({ name, level, pretty = process.stdout.isTTY, to }: LogOptions): Log => {
  const redact = { paths: redacted, censor: '[secret]' };
  const options = {
    ...{ name, level, redact, base: { pid: process.pid }, mixin: traceOfLine },
    serializers: { err: errorFacts },
  };
  if (!pretty) return pino({ ...options, timestamp: pino.stdTimeFunctions.isoTime }, to ?? pino.destination(1));
  const forPeople = { ignore: 'pid,hostname,name', translateTime: 'SYS:HH:MM:ss', singleLine: true, sync: true };
  return pino(options, PinoPretty({ ...forPeople, destination: to }));
};

/** An error without what libraries hang on it: clients, sockets, whole requests. */
const errorFacts = (error: Error): unknown => {
  const facts: unknown = pino.stdSerializers.err(error);
  return typeof facts === 'object' && facts !== null ? plainFacts(facts) : facts;
};

const plainFacts = (facts: object): object =>
  Object.fromEntries(
    Object.entries(facts).flatMap(([name, value]: [string, unknown]) => {
      if (name === 'aggregateErrors' && Array.isArray(value)) return [[name, value.map(plainFacts)]];
      return typeof value === 'object' && value !== null ? [] : [[name, value]];
    }),
  );

/** What Nest says of itself, in the same log. Its account of starting is for those who look for it. */
export const nestLogger = (log: Log): LoggerService => {
  const at =
    (level: 'debug' | 'warn' | 'error' | 'trace' | 'fatal') =>
    (said: unknown, ...rest: unknown[]): void => {
      const context = rest.length > 0 ? rest.at(-1) : undefined;
      const facts = { nest: typeof context === 'string' ? context : undefined };
      if (said instanceof Error) log[level]({ ...facts, err: said }, said.message);
      else log[level](facts, typeof said === 'string' ? said : JSON.stringify(said));
    };
  return {
    log: at('debug'),
    debug: at('trace'),
    verbose: at('trace'),
    warn: at('warn'),
    error: at('error'),
    fatal: at('fatal'),
  };
};
