import {
  beginWrite,
  CLAIM_LASTS_MS,
  CodedError,
  endWrite,
  holdWrite,
  IdempotencyKey,
  type Identity,
  type KeptAnswer,
  MAX_KEPT_ANSWER,
} from '@postmaster/contracts';
import { createHash } from 'node:crypto';
import type { Request } from 'express';
import type { Front } from '../front.js';
import type { Answer } from '../http/locals.js';
import { sendWritten, type Written } from './written.js';

export interface Write {
  /** Of all that the request says, where that is known before anything is done. */
  print?: string;
  /** Does it. `print` is needed here where it was not known before; `keep: false` says that nothing was written. */
  act(): Promise<{ written: Written; print?: string; keep?: boolean }>;
  /** Reads the request to its end and does nothing: its print. */
  read?(): Promise<string>;
}

/** Names a request by all that it says: its method, its address and its content. */
export const printOf = (req: Request, content: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify([req.method, req.originalUrl, content ?? null]))
    .digest('hex');

/** Undefined where none is sent. Throws INPUT_INVALID. */
export const idempotencyKeyIn = (req: Request): string | undefined => {
  const sent = req.header('idempotency-key');
  if (sent === undefined) return undefined;
  const key = IdempotencyKey.safeParse(sent);
  if (key.success) return key.data;
  throw new CodedError('INPUT_INVALID', 'The Idempotency-Key should be 1 to 255 visible ASCII characters.', {
    field: 'Idempotency-Key',
  });
};

/**
 * Does a write, once for its Idempotency-Key: the same request gets the first one's answer, for 24 hours. A failure
 * wrote nothing and leaves the key free. Where this process dies between writing and keeping the answer, the key frees
 * itself within a minute and the write is done again: it is one by its identity (the same bytes under the same source
 * change nothing, a second tenant of that name is CONFLICT). Throws IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_IN_PROGRESS.
 */
export const writeOnce = async (
  { requests, seal, log }: Pick<Front, 'requests' | 'seal' | 'log'>,
  identity: Identity,
  req: Request,
  res: Answer,
  write: Write,
): Promise<Written> => {
  const key = idempotencyKeyIn(req);
  if (key === undefined) return (await write.act()).written;
  const begun = await requests.ask(beginWrite, await seal.sign(identity), { key, print: write.print ?? null });
  if (begun.state === 'told') {
    if (write.read && (await write.read()) !== begun.print) throw reused(key);
    res.setHeader('idempotency-replayed', 'true');
    return { status: begun.status, location: begun.location ?? undefined, body: JSON.parse(begun.body) };
  }
  const mine = { key, claim: begun.claim };
  const warn = (err: unknown) => log.warn({ err, requestId: res.locals.requestId }, 'a claim of a key was not kept up');
  const hold = async () => requests.ask(holdWrite, await seal.sign(identity), mine);
  const holding = setInterval(() => void hold().catch(warn), CLAIM_LASTS_MS / 3);
  const end = async (answer: KeptAnswer | null) =>
    requests.ask(endWrite, await seal.sign(identity), { ...mine, answer }).catch(warn);
  try {
    const { written, print = write.print, keep = true } = await write.act();
    const body = JSON.stringify(written.body);
    const isKept = keep && print !== undefined && body.length <= MAX_KEPT_ANSWER;
    const { status, location = null } = written;
    await end(isKept ? { print, status, location, body } : null);
    return written;
  } catch (error) {
    await end(null);
    throw error;
  } finally {
    clearInterval(holding);
  }
};

/** Does a write once for its Idempotency-Key and sends what it gives; `content` is what the request says beside its address. */
export const sendOnce = async (
  front: Front,
  identity: Identity,
  req: Request,
  res: Answer,
  content: unknown,
  write: () => Promise<Written>,
): Promise<void> => {
  const act = async () => ({ written: await write() });
  sendWritten(res, await writeOnce(front, identity, req, res, { print: printOf(req, content), act }));
};

/** `sendOnce` for a write of JSON. */
export const answerOnce = async (
  front: Front,
  identity: Identity,
  req: Request,
  res: Answer,
  status: number,
  body: () => Promise<unknown>,
): Promise<void> => sendOnce(front, identity, req, res, req.body, async () => ({ status, body: await body() }));

const reused = (key: string): CodedError =>
  new CodedError('IDEMPOTENCY_KEY_REUSED', `The Idempotency-Key "${key}" was sent with another request before.`);
