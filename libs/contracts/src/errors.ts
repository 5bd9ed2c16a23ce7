import { CODES, type ErrorCode } from './error-codes.js';
import type { Failure } from './failure.js';

export interface ErrorFacts {
  /** What to do next; the code's own advice where absent. */
  next?: string;
  /** The input field at fault. */
  field?: string;
  /** Seconds after which the same request may succeed. */
  retryAfter?: number;
  cause?: unknown;
}

/** An expected failure: a code of the closed list, a message that a person reads, and the next step. */
export class CodedError extends Error {
  override readonly name: string = 'CodedError';
  readonly next: string;
  readonly field?: string;
  readonly retryAfter?: number;

  constructor(
    readonly code: ErrorCode,
    message: string,
    facts: ErrorFacts = {},
  ) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.next = facts.next ?? CODES[code].next;
    this.field = facts.field;
    this.retryAfter = facts.retryAfter;
  }

  get status(): number {
    return CODES[this.code].status;
  }

  toFailure(): Failure {
    return { code: this.code, message: this.message, next: this.next };
  }
}

export const failure = (code: ErrorCode, message: string, next: string = CODES[code].next): Failure => ({
  code,
  message,
  next,
});

/** The failure that a stored thing shows for any error; one that was not expected is masked. */
export const failureOf = (error: unknown): Failure =>
  error instanceof CodedError ? error.toFailure() : failure('INTERNAL', 'Something unexpected went wrong.');
