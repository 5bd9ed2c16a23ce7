import { Readable } from 'node:stream';
import type { Identity } from '@postmaster/contracts';
import { z } from 'zod';
import type { Upload, Uploads } from '../document-bytes.js';
import { type CallFacts, type IngestionConnection, wayFailure } from './ingestion-connection.js';

const Accepted = z.object({ document: z.string(), version: z.number(), unchanged: z.boolean() });

/** Uploads to the ingestion service of another process, streamed at its pace: a line of JSON, then the file. */
export const remoteUploads = ({ ask }: Pick<IngestionConnection, 'ask'>): Uploads => ({
  accept: async (identity: Identity, upload: Upload, call: CallFacts = {}) => {
    const { stream, name, declaredType, fields } = upload;
    const line = Buffer.from(`${JSON.stringify({ ...fields, name, declaredType })}\n`);
    stream.on('error', () => {}); // it may fail before it is read; reading it then throws
    const body = () => Readable.from(given(line, stream), { objectMode: false });
    const headers = { 'content-type': 'application/octet-stream' }; // never what a body parser would take
    try {
      const answer = await ask(identity, { ...call, method: 'POST', path: '', headers, body });
      return Accepted.parse(await answer.body.json());
    } catch (error) {
      const broken: Error | null = stream.errored;
      stream.destroy();
      throw broken ?? wayFailure(error); // the upload's own failure is the first cause
    }
  },
});

/** The stream is left as it is where its reader stops early: a failure of it is the sender's alone. */
async function* given(line: Buffer, stream: Readable): AsyncGenerator<Buffer> {
  yield line;
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) yield chunk as Buffer; // files have no encoding
}
