import { CodedError } from '@postmaster/contracts';

export const tooLarge = (maxBytes: number): CodedError =>
  new CodedError('TOO_LARGE', `The document is larger than ${maxBytes} bytes.`, { field: 'url' });
