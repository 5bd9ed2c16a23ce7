import { unquoteFrom } from '../ingest/mail/mailbox.js';
import type { FileSource } from '../ingest/source.js';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { CliError, Stopped } from '../cli-error.js';
import { eventsIn } from './event-stream.js';
import type { ServerPlace } from './find-server.js';
import { type Asked, runGraphql } from './graphql.js';
import { multipartOf } from './multipart.js';
import { BULK, DOCUMENTS, GET_JOB, INGEST_URL } from './operations.js';
import { readAnswer, serverError } from './read-answer.js';
import { DocumentPage, Failure, Job } from './shapes.js';
import { connectionFailure, transportTo } from './transport.js';
import { tryAgain } from './try-again.js';

export interface Accepted {
  id: string;
  version: number;
  /** The same bytes were there already. */
  unchanged: boolean;
}

export type DocumentFilter = Partial<{
  ids: readonly string[];
  status: readonly string[];
  collection: string;
  sourceType: string;
  sourceId: string;
  sourceIdPrefix: string;
  titleContains: string;
}>;

export interface AnswerMessage {
  event: string;
  data: unknown;
}

/** A file, or a mail that is part of one. */
export type UploadFile = Pick<FileSource, 'path' | 'name' | 'range'>;

/** The server as the commands see it. What may be done twice is tried again where the reason of a failure passes. */
export interface Client {
  place: ServerPlace;
  query<T extends z.ZodType>(
    schema: T,
    query: string,
    variables?: Record<string, unknown>,
  ): Promise<Asked<z.output<T>>>;
  get<T extends z.ZodType>(schema: T, path: string): Promise<z.output<T>>;
  /** Changes something; it is not tried again. */
  send<T extends z.ZodType>(
    schema: T,
    method: 'POST' | 'DELETE',
    path: string,
    body?: Record<string, unknown>,
  ): Promise<z.output<T>>;
  upload(file: UploadFile, fields: Readonly<Record<string, string | undefined>>): Promise<Accepted>;
  ingestUrl(input: Readonly<Record<string, unknown>>): Promise<Accepted>;
  documents(filter: DocumentFilter, first: number, after?: string): Promise<DocumentPage>;
  beginJob(kind: keyof typeof BULK, filter: DocumentFilter): Promise<Job>;
  job(id: string): Promise<Job>;
  ask(body: Record<string, unknown>): AsyncIterable<AnswerMessage>;
  /** Lines of JSON as they come. */
  lines(path: string): AsyncIterable<unknown>;
}

const Uploaded = z.object({ id: z.string(), version: z.number(), unchanged: z.boolean() });
export const Refused = Failure.extend({ __typename: z.literal('Refused') });
const Ingested = z.object({
  __typename: z.literal('Ingested'),
  document: z.object({ id: z.string() }),
  version: z.number(),
  unchanged: z.boolean(),
});

export const clientOf = (place: ServerPlace, signal: AbortSignal): Client => {
  const transport = transportTo(place, signal);
  const again = <T>(act: () => Promise<T>): Promise<T> => tryAgain(signal, act);
  const query: Client['query'] = (schema, text, variables) =>
    again(() => runGraphql(transport, schema, text, variables));
  return {
    place,
    query,
    get: (schema, path) => again(async () => readAnswer(schema, await transport({ method: 'GET', path }))),
    send: async (schema, method, path, body) => {
      const headers = body && { 'content-type': 'application/json' };
      return readAnswer(schema, await transport({ method, path, headers, body: body && JSON.stringify(body) }));
    },
    upload: ({ path, name, range }, fields) =>
      again(async () => {
        const bytes = createReadStream(path, range);
        const { contentType, body } = multipartOf(fields, { name, bytes: range ? bytes.pipe(unquoteFrom()) : bytes });
        const headers = { 'content-type': contentType };
        return readAnswer(Uploaded, await transport({ method: 'POST', path: 'api/v1/documents', headers, body }));
      }),
    ingestUrl: async (input) => {
      const { data } = await query(z.object({ ingested: z.union([Ingested, Refused]) }), INGEST_URL, { input });
      const { document, version, unchanged } = notRefused(data.ingested);
      return { id: document.id, version, unchanged };
    },
    documents: async (filter, first, after) =>
      (await query(z.object({ documents: DocumentPage }), DOCUMENTS, { filter, first, after })).data.documents,
    beginJob: async (kind, filter) => {
      const result = z.object({ job: z.union([Job.extend({ __typename: z.literal('Job') }), Refused]) });
      return notRefused((await runGraphql(transport, result, BULK[kind], { filter })).data.job);
    },
    job: async (id) => {
      const { job } = (await query(z.object({ job: Job.nullable() }), GET_JOB, { id })).data;
      if (!job)
        throw new CliError(
          'NOT_FOUND',
          `There is no job "${id}".`,
          'Its documents tell how far they are: `postmaster documents`.',
        );
      return job;
    },
    ask: async function* (body) {
      const headers = { 'content-type': 'application/json', accept: 'text/event-stream' };
      const answer = await transport({ method: 'POST', path: 'api/v1/ask', headers, body: JSON.stringify(body) });
      if (answer.statusCode !== 200) await readAnswer(z.never(), answer);
      try {
        for await (const { event, data } of eventsIn(answer)) yield { event, data: JSON.parse(data) as unknown };
      } catch (error) {
        throw signal.aborted ? new Stopped() : connectionFailure(error, place, signal);
      }
    },
    lines: async function* (path) {
      const answer = await transport({ method: 'GET', path, headers: { accept: 'application/x-ndjson' } });
      if (answer.statusCode !== 200) await readAnswer(z.never(), answer);
      try {
        for await (const line of createInterface({ input: answer })) if (line !== '') yield JSON.parse(line) as unknown;
      } catch (error) {
        throw signal.aborted ? new Stopped() : connectionFailure(error, place, signal);
      }
    },
  };
};

export const notRefused = <T extends { __typename: string }>(result: T): Exclude<T, { __typename: 'Refused' }> => {
  const refused = Refused.safeParse(result);
  if (refused.success) throw serverError(refused.data.code, refused.data.message, refused.data.next);
  return result as Exclude<T, { __typename: 'Refused' }>; // only Refused parses as one
};
