import type { ErrorCode } from '@postmaster/contracts';

const OUT: ReadonlySet<ErrorCode> = new Set(['MODEL_UNREACHABLE', 'MODEL_REFUSED']);

/** The model answers nobody, whatever it is asked: work rests until it is back. */
export const isModelOut = (code: ErrorCode): boolean => OUT.has(code);
