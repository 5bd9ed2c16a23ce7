import { CODES } from '@postmaster/contracts';
import type { Request, RequestHandler } from 'express';
import { getOperationAST, parse } from 'graphql';
import type { Front } from '../front.js';
import type { Answer } from '../http/locals.js';
import { idempotencyKeyIn, printOf, writeOnce } from '../rest/write-once.js';
import { type Written, sendWritten } from '../rest/written.js';
import type { Call } from './call.js';

/** A mutation that carries an Idempotency-Key is done once; queries, which change nothing, pass. */
export const mutateOnce =
  (front: Front, callOf: (req: object) => Call | undefined): RequestHandler =>
  async (req, res, next) => {
    const call = callOf(req);
    if (!call || idempotencyKeyIn(req) === undefined || !isMutation(req)) return next();
    const answer = res as Answer;
    const write = { print: printOf(req, req.body), act: () => answeredBy(answer, next) };
    sendWritten(answer, await writeOnce(front, call.identity, req, answer, write));
  };

const isMutation = ({ body }: Request): boolean => {
  const { query, operationName } = (body ?? {}) as { query?: unknown; operationName?: unknown }; // any JSON
  if (typeof query !== 'string') return false;
  try {
    const name = typeof operationName === 'string' ? operationName : undefined;
    return getOperationAST(parse(query), name)?.operation === 'mutation';
  } catch {
    return false; // what can't be read is refused where it is
  }
};

/** What the handlers after this one would send. */
const answeredBy = (res: Answer, next: () => void): Promise<{ written: Written; keep: boolean }> =>
  new Promise((resolve) => {
    const { send } = res;
    res.send = (sent) => {
      res.send = send;
      const body: unknown = typeof sent === 'string' ? JSON.parse(sent) : sent;
      resolve({ written: { status: res.statusCode, body }, keep: res.statusCode === 200 && isDone(body) });
      return res;
    };
    next();
  });

/** Nothing is kept of what was refused or broke: asked again, it may be done. */
const isDone = (body: unknown): boolean => {
  const { data, errors } = body as { data?: Record<string, unknown> | null; errors?: unknown }; // Apollo's answer
  if (errors !== undefined || !data) return false;
  return !Object.values(data).some((value) => {
    const code = typeof value === 'object' && value !== null && 'code' in value ? value.code : undefined;
    return typeof code === 'string' && Object.hasOwn(CODES, code); // Refused
  });
};
