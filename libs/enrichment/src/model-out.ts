import type { ErrorCode } from '@postmaster/contracts';

const OUT: ReadonlySet<ErrorCode> = new Set(['MODEL_UNREACHABLE', 'MODEL_REFUSED']);

/** The model answers nobody, whatever it is asked: work rests until it is back. */
export const isModelOut = (code: ErrorCode): boolean => OUT.has(code);

/** How long work rests whose tenant's budget is used up, before it is looked whether it may go on. */
export const BUDGET_LOOK_MS = 20_000;
