import { EXIT, type ExitCode } from './exit-codes.js';

/** An expected failure: the server's code or one of the command line's own, the cause, and what to do next. */
export class CliError extends Error {
  override readonly name = 'CliError';

  constructor(
    readonly code: string,
    message: string,
    readonly next: string,
    readonly exitCode: ExitCode = EXIT.failed,
    /** The same request may succeed shortly. */
    readonly passing = false,
  ) {
    super(message);
  }

  toFailure(): { code: string; message: string; next: string } {
    return { code: this.code, message: this.message, next: this.next };
  }
}

export const usage = (message: string, next: string, code = 'WRONG_USAGE'): CliError =>
  new CliError(code, message, next, EXIT.usage);

/** Ctrl-C. */
export class Stopped extends Error {
  override readonly name = 'Stopped';

  constructor(
    /** What goes on in the server all the same. */
    readonly goesOn?: string,
  ) {
    super('Stopped.');
  }
}
