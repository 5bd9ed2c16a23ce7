import express, { type Request } from 'express';
import type { Answer } from '../http/locals.js';

/** Reads a JSON body of at most `limit` bytes into `req.body`; nothing is read before its route wants it. */
export const readJson = (limit: number, req: Request, res: Answer): Promise<void> =>
  new Promise((resolve, reject) =>
    express.json({ limit })(req, res, (error?: unknown) => (error ? reject(error as Error) : resolve())),
  );
