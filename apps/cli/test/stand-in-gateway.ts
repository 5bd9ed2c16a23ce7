import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Document } from '../src/client/shapes.js';

export const KEY = 'pm_key_of_the_stand_in';

export interface StandIn {
  url: string;
  documents: Map<string, Document>;
  /** Fields of each upload, with its file's name and bytes. */
  uploads: Record<string, string>[];
  operations: { query: string; variables: Record<string, unknown> }[];
  /** Those about tenants: "DELETE /api/v1/tenants/acme". */
  requests: string[];
  /** The model is on another machine. */
  remote: boolean;
  /** What its model takes for a million tokens. */
  price: { currency: string; input: number; output: number } | null;
  /** What becomes of an upload; READY where it says nothing. */
  fate(name: string): Partial<Document>;
  close(): Promise<void>;
}

/** A server that speaks the gateway's REST and GraphQL as far as the command line needs it, and keeps what it was given. */
export const startStandIn = async (): Promise<StandIn> => {
  const contents = new Map<string, string>();
  const server = createServer((request, response) => void answer(request, response));
  const standIn: StandIn = {
    url: '',
    documents: new Map(),
    uploads: [],
    operations: [],
    requests: [],
    remote: false,
    price: null,
    fate: () => ({}),
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    if (request.headers.authorization !== `Bearer ${KEY}`) return problem(response, 401, 'KEY_INVALID');
    if (request.url === '/api/v1/documents') return upload(body, response);
    if (request.url === '/api/v1/ask') return ask(response);
    if (request.url === '/api/v1/openapi.json') return json(response, { info: { version: '9.9.9' } });
    if (request.url === '/api/v1/deletions/job-1') return json(response, { ...left, id: 'job-1', documents: 1 });
    if (request.url?.startsWith('/api/v1/tenants/acme')) {
      standIn.requests.push(`${request.method} ${request.url}`);
      return json(response, { ...left, tenant: 'acme' });
    }
    if (request.url === '/graphql') return graphql(JSON.parse(body) as StandIn['operations'][number], response);
    problem(response, 404, 'NOT_FOUND');
  };

  const upload = (body: string, response: ServerResponse): void => {
    const fields = fieldsOf(body);
    standIn.uploads.push(fields);
    if (fields.file === '') return problem(response, 422, 'EMPTY_FILE');
    const id = `id-of-${fields.sourceId}`;
    const before = standIn.documents.get(id);
    const unchanged = contents.get(id) === fields.file;
    contents.set(id, fields.file ?? '');
    const version = (before?.version ?? 0) + (unchanged ? 0 : 1);
    const title = fields.filename ?? '';
    standIn.documents.set(id, { ...documentOf(id, title), version, ...standIn.fate(title) });
    json(response, { id, version, unchanged, name: title }, 202);
  };

  const graphql = (operation: StandIn['operations'][number], response: ServerResponse): void => {
    standIn.operations.push(operation);
    const { query, variables } = operation;
    const filter = variables.filter as { ids?: string[] } | undefined;
    const nodes = [...standIn.documents.values()].filter(({ id }) => filter?.ids?.includes(id) ?? true);
    const job = {
      id: 'job-1',
      kind: 'DELETE',
      status: 'RUNNING',
      total: nodes.length,
      done: 0,
      failed: 0,
      failures: [],
    };
    if (query.includes('job:')) {
      for (const { id } of nodes) standIn.documents.delete(id);
      json(response, { data: { job: { __typename: 'Job', ...job } } });
    } else if (query.includes('job(id:')) json(response, { data: { job: { ...job, status: 'DONE', done: 1 } } });
    else if (query.includes('modelPrice(')) json(response, { data: { modelPrice: standIn.price } });
    else if (query.includes('facetModel')) json(response, { data: modelsOf(standIn.remote) });
    else if (query.includes('moreLikeThis(')) json(response, { data: { similar: { hits: [hit], notices: [] } } });
    else if (query.includes('summarize(')) json(response, { data: { summary } });
    else if (query.includes('search('))
      json(response, { errors: [graphqlError('SERVICE_UNAVAILABLE')], data: { search: null } });
    else
      json(response, {
        data: { documents: { nodes, totalCount: nodes.length, pageInfo: { hasNextPage: false, endCursor: null } } },
      });
  };

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  standIn.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP server's address is an object
  return standIn;
};

const json = (response: ServerResponse, value: unknown, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
};

const problem = (response: ServerResponse, status: number, code: string): void =>
  json(response, { code, detail: `It was ${code}.`, next: 'Do this.', status }, status);

const graphqlError = (code: string) => ({ message: `It was ${code}.`, extensions: { code, next: 'Do this.' } });

const modelsOf = (remote: boolean) => ({
  facetModel: {
    id: remote ? 'openai:big' : 'extractive',
    remote,
    promptVersion: '1',
    concurrency: 4,
    readsEntities: false,
  },
  tenant: { paragraphWords: 120 },
});

const left = {
  ...{ deletedAt: '2026-11-21T10:00:00Z', checkedAt: '2026-11-21T10:00:01Z', complete: true },
  services: [
    {
      service: 'ingestion',
      places: [
        { place: 'paragraphs', left: 0, kept: null },
        { place: 'documents', left: 0, kept: { count: 1, why: 'A tombstone.', until: '2026-11-29T10:00:00Z' } },
      ],
      failure: null,
    },
  ],
};

const place = { id: 'p1', text: 'It holds 12 ships.', position: 0, page: 3, start: 0, end: 18, trail: ['Harbour'] };
const paragraph = { ...place, document: { id: 'd1', title: 'Almanac', sourceUri: null } };
const citation = { marker: 1, quote: 'It holds 12 ships.', quoteStart: 0, quoteEnd: 18, paragraph };
const why = [{ leg: 'LEXICAL', score: 3, scaled: 1, rank: 1, weight: 1, share: 0.9, text: 'It holds 12 ships.' }];
const hit = {
  kind: 'PARAGRAPH',
  ...{ score: 0.9, relevance: 0.8, why, paragraph },
  duplicates: [{ id: 'p2', document: 'd2', title: 'Almanac, copy' }],
  highlights: [{ start: 9, end: 17 }],
};
const summary = {
  points: [{ text: 'It holds 12 ships. [1]', citations: [citation] }],
  documents: 2,
  model: 'extractive',
  notices: [],
};

const ask = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (event: string, data: unknown) => response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  send('hits', { hits: [], notices: [] });
  send('text', { text: 'It holds ' });
  response.write(':\n\n');
  send('text', { text: '12 ships. [1]' });
  send('citation', citation);
  send('done', { found: true, model: 'extractive', notices: [] });
  response.end();
};

const fieldsOf = (body: string): Record<string, string> => {
  const fields: Record<string, string> = {};
  for (const [, name = '', filename, value = ''] of body.matchAll(
    /form-data; name="(\w+)"(?:; filename="([^"]*)"\r\ncontent-type: [^\r]*)?\r\n\r\n([^]*?)\r\n--/g,
  )) {
    fields[name] = value;
    if (filename !== undefined) fields.filename = filename;
  }
  return fields;
};

export const documentOf = (id: string, title: string): Document => ({
  id,
  version: 1,
  title,
  sourceType: 'file',
  sourceId: id,
  sourceUri: null,
  collection: null,
  contentType: 'text/markdown',
  language: 'en',
  createdAt: null,
  addedAt: '2026-11-21T10:00:00Z',
  metadata: {},
  status: 'READY',
  failure: null,
  degraded: [],
  progress: { total: 2, indexed: 2, enriched: 2, failed: 0, ready: 2, paused: null, secondsLeft: null },
});
