import type { Answer } from '../http/locals.js';

/** What a request that wrote is answered with. */
export interface Written {
  status: number;
  location?: string;
  /** As JSON. */
  body: unknown;
}

export const sendWritten = (res: Answer, { status, location, body }: Written): void => {
  if (location !== undefined) res.location(location);
  res.status(status).json(body);
};
