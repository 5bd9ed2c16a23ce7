import { CodedError, CODES, type ErrorCode } from '@postmaster/contracts';
import { z } from 'zod';

/** An error as it goes over the wire: what a CodedError says, and nothing of what caused it. */
export const WireError = z.object({
  code: z.string(),
  message: z.string(),
  next: z.string(),
  field: z.string().optional(),
  retryAfter: z.number().optional(),
});
export type WireError = z.infer<typeof WireError>;

/** One that was not expected is masked; the answering side reports it where it happened. */
export const toWire = (error: unknown): WireError => {
  if (!(error instanceof CodedError)) return toWire(new CodedError('INTERNAL', 'Something unexpected went wrong.'));
  const { code, message, next, field, retryAfter } = error;
  return { code, message, next, field, retryAfter };
};

export const fromWire = ({ code, message, ...facts }: WireError): CodedError =>
  new CodedError(isCode(code) ? code : 'INTERNAL', message, facts); // a newer service may know more codes

const isCode = (code: string): code is ErrorCode => Object.hasOwn(CODES, code);
