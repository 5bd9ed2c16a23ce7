import { CodedError } from '@postmaster/contracts';

/** No database keeps a U+0000, and to take it out of what something is known by would make it something else. Throws INPUT_INVALID. */
export const refuseZeros = (fields: Readonly<Record<string, unknown>>): void => {
  for (const [field, value] of Object.entries(fields))
    if (hasZero(value))
      throw new CodedError('INPUT_INVALID', `The field "${field}" has a character that is none (U+0000).`, { field });
};

const hasZero = (value: unknown): boolean => {
  if (typeof value === 'string') return value.includes('\0');
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, own]) => key.includes('\0') || hasZero(own));
};
