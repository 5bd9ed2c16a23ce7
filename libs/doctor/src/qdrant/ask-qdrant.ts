import { CodedError } from '@postmaster/contracts';
import type { z } from 'zod';

export interface QdrantAddress {
  url: string;
  apiKey?: string;
}

/** Asks once, and gives what is in `result`; undefined for what is not there (404). Throws STORE_UNREACHABLE, STORE_REFUSED. */
export const askQdrant = async <S extends z.ZodType>(
  { url, apiKey }: QdrantAddress,
  path: string,
  form: S,
  signal: AbortSignal,
): Promise<z.output<S> | undefined> => {
  const { host } = new URL(url);
  const headers = { 'accept-encoding': 'identity', ...(apiKey && { 'api-key': apiKey }) };
  let response: Response;
  let text: string;
  try {
    response = await fetch(`${url.replace(/\/+$/, '')}${path}`, { headers, signal });
    text = await response.text();
  } catch (cause) {
    throw new CodedError('STORE_UNREACHABLE', `Qdrant at ${host} can’t be reached${reasonOf(cause)}.`, { cause });
  }
  const { status } = response;
  if (status === 401 || status === 403)
    throw new CodedError(
      'STORE_REFUSED',
      apiKey
        ? `Qdrant at ${host} refuses the key in QDRANT_API_KEY (status ${status}).`
        : `Qdrant at ${host} wants a key (status ${status}), and QDRANT_API_KEY is not set.`,
      { next: 'Set QDRANT_API_KEY to the key of Qdrant (QDRANT__SERVICE__API_KEY there).' },
    );
  if (status === 404) return undefined;
  if (!response.ok)
    throw new CodedError('STORE_UNREACHABLE', `Qdrant at ${host} answers with status ${status}.`, {
      next: 'See its log.',
    });
  const read = form.safeParse(jsonIn(text));
  if (read.success) return read.data;
  throw new CodedError('STORE_REFUSED', `What answers at ${host} is not Qdrant.`, { next: 'Correct QDRANT_URL.' });
};

const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** What fetch hides one level down: ECONNREFUSED and its like. */
const reasonOf = (error: unknown): string => {
  const { cause } = error as { cause?: { code?: unknown } };
  return typeof cause?.code === 'string' ? ` (${cause.code})` : '';
};
