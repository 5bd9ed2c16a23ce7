import { CodedError } from '@postmaster/contracts';

/** The `Refused` of every mutation's union. */
export interface Refused {
  __typename: 'Refused';
  code: string;
  message: string;
  next: string;
  field: string | null;
}

/** Expected failures of a mutation are values: a CodedError becomes `Refused`, a surprise stays a throw. */
export const orRefused = async <T>(act: () => Promise<T>): Promise<T | Refused> => {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    const { code, message, next, field = null } = error;
    return { __typename: 'Refused', code, message, next, field };
  }
};
