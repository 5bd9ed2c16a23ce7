import { Readable } from 'node:stream';
import { CodedError, type Identity } from '@postmaster/contracts';
import { z } from 'zod';
import type { DocumentBytes } from '../document-bytes.js';
import { type Asked, type CallFacts, type IngestionConnection, wayFailure } from './ingestion-connection.js';

const Facts = z.object({
  hash: z.string(),
  size: z.number(),
  contentType: z.string(),
  name: z.string(),
  version: z.number(),
});

/** Reads bytes from the ingestion service of another process, at the reader's pace. */
export const remoteBytes = ({ ask }: Pick<IngestionConnection, 'ask'>): DocumentBytes => {
  /** Undefined where there is no such document. */
  const get = async (identity: Identity, asked: Omit<Asked, 'method'>) => {
    try {
      return await ask(identity, { ...asked, method: 'GET' });
    } catch (error) {
      if (error instanceof CodedError && error.code === 'NOT_FOUND') return undefined;
      throw error;
    }
  };

  return {
    text: async (identity: Identity, document: string, call: CallFacts = {}) => {
      const answer = await get(identity, { ...call, path: `/${encodeURIComponent(document)}/text` });
      if (!answer) return null;
      const version = z.coerce.number().parse(answer.headers['x-postmaster-version']);
      return { text: await answer.body.text().catch(rethrown), version };
    },
    original: async (identity: Identity, document: string, call: CallFacts = {}) => {
      const path = `/${encodeURIComponent(document)}/original`;
      const answer = await get(identity, { ...call, path: `${path}/facts` });
      if (!answer) return null;
      const { hash, ...facts } = Facts.parse(await answer.body.json().catch(rethrown));
      const read = async function* (range?: { start: number; end: number }) {
        const headers = { 'if-match': `"${hash}"`, ...(range ? { range: `bytes=${range.start}-${range.end}` } : {}) };
        const { body } = await ask(identity, { ...call, method: 'GET', path, headers });
        try {
          for await (const chunk of body) yield chunk as Buffer; // no encoding is set
        } catch (error) {
          throw wayFailure(error);
        }
      };
      return { ...facts, read: (range) => Readable.from(read(range), { objectMode: false }) };
    },
  };
};

const rethrown = (error: unknown): never => {
  throw wayFailure(error);
};
