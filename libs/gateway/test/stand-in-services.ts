import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Readable, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { buildSubgraphSchema } from '@apollo/subgraph';
import {
  type AnswerEvent,
  answerStream,
  CodedError,
  type DomainEvent,
  type HitParagraph,
  type Identity,
  type IdentitySeal,
  identitySeal,
  type Observers,
  type Requests,
  type Scope,
  TenantId,
  verifyKey,
} from '@postmaster/contracts';
import { createLog, DateTimeScalar, type SubgraphContext, subgraphContext } from '@postmaster/service';
import { type GraphQLFieldResolver, parse } from 'graphql';
import {
  createGateway,
  type DocumentBytes,
  type Gateway,
  type GatewayConfig,
  type LocalSubgraph,
  type Uploads,
} from '../src/index.js';

/** Two tiny services behind the real gateway: they keep documents in memory, and ask for the internal token. */
export const KEYS = { acme: 'key-of-acme', other: 'key-of-other', reader: 'key-that-reads-only' } as const;
export const ADMIN_KEY = 'key-of-the-operator';
export const QUESTION = 'What is the deadline?';

export interface StoredFile {
  tenant: string;
  name: string;
  bytes: Buffer;
  fields: object;
  version: number;
  status: string;
}

type Resolvers = Record<string, Record<string, GraphQLFieldResolver<never, SubgraphContext, never>>>;

const sdl = (service: string) =>
  parse(readFileSync(new URL(`../../${service}/src/nest/schema.graphql`, import.meta.url), 'utf8'));

const subgraph = (service: string, resolvers: Resolvers, seal: IdentitySeal): LocalSubgraph => ({
  schema: buildSubgraphSchema({
    typeDefs: sdl(service),
    resolvers: { ...resolvers, DateTime: DateTimeScalar } as never,
  }),
  context: subgraphContext(seal),
});

export class StandInServices {
  readonly seal = identitySeal(new TextEncoder().encode('a secret of at least 32 characters'));
  readonly files = new Map<string, StoredFile>();
  readonly revoked = new Set<string>();
  readonly lines: string[] = [];
  /** What retrieval streams; a test may set it. */
  answer: AnswerEvent[] = standInAnswer();
  private readonly watchers = new Set<{ tenant: string; see: (event: DomainEvent) => void }>();

  readonly requests: Pick<Requests, 'ask' | 'stream'> = {
    ask: async (type, token, input) => {
      await this.seal.open(token);
      if (type.subject !== verifyKey.subject) throw new CodedError('SERVICE_UNAVAILABLE', 'Nobody answers.');
      const { keyHash } = type.input.parse(input) as { keyHash: string };
      return type.output.parse({ key: this.keyOf(keyHash) });
    },
    stream: async function* (this: StandInServices, type: { subject: string }, token: string) {
      await this.seal.open(token);
      if (type.subject === answerStream.subject) yield* this.answer;
    }.bind(this) as never,
  };

  readonly observers: Observers = {
    observe: (tenant, see) => {
      const watcher = { tenant, see };
      this.watchers.add(watcher);
      return () => this.watchers.delete(watcher);
    },
  };

  get watched(): number {
    return this.watchers.size;
  }

  readonly uploads: Uploads = {
    accept: async ({ tenant }, { stream, name, fields }) => {
      const bytes = await buffer(stream);
      if (bytes.length === 0) throw new CodedError('EMPTY_FILE', `"${name}" has no bytes.`);
      const id = `d${this.files.size + 1}`;
      this.files.set(id, { tenant, name, bytes, fields, version: 1, status: 'ACCEPTED' });
      return { document: id, version: 1, unchanged: false };
    },
  };

  readonly bytes: DocumentBytes = {
    text: async ({ tenant }, id) => {
      const file = this.owned(tenant, id);
      return file ? { text: file.bytes.toString('utf8'), version: file.version } : null;
    },
    original: async ({ tenant }, id) => {
      const file = this.owned(tenant, id);
      if (!file) return null;
      const read = (range?: { start: number; end: number }) =>
        Readable.from([range ? file.bytes.subarray(range.start, range.end + 1) : file.bytes]);
      return { size: file.bytes.length, contentType: 'text/plain', name: file.name, version: file.version, read };
    },
  };

  change(id: string, status: string): void {
    const file = this.files.get(id);
    if (!file) throw new Error(`There is no file ${id}.`);
    file.status = status;
    this.tell(file.tenant, id);
  }

  forget(id: string): void {
    const file = this.files.get(id);
    this.files.delete(id);
    if (file) this.tell(file.tenant, id);
  }

  private tell(tenant: string, document: string): void {
    const facts = { id: document, tenant: TenantId.parse(tenant), time: '2026-11-21T10:00:00Z' };
    const event: DomainEvent = { ...facts, type: 'document.progressed', data: { document, version: 1 } };
    for (const watcher of this.watchers) if (watcher.tenant === tenant) watcher.see(event);
  }

  /** `absent` names services that do not answer. */
  async start(config: Partial<GatewayConfig> = {}, absent: readonly string[] = []): Promise<Gateway> {
    const subgraphs = { ingestion: this.ingestion(), retrieval: this.retrieval() };
    return createGateway({
      config: {
        host: '127.0.0.1',
        port: 0,
        adminKey: ADMIN_KEY,
        sessionSecret: new TextEncoder().encode('another secret of 32 characters..'),
        maxDocumentBytes: 1024 * 1024,
        ...config,
      },
      seal: this.seal,
      requests: this.requests,
      observers: this.observers,
      subgraphs: Object.fromEntries(Object.entries(subgraphs).filter(([name]) => !absent.includes(name))),
      uploads: this.uploads,
      bytes: this.bytes,
      log: createLog({
        name: 'test',
        level: 'info',
        pretty: false,
        to: this.logged(),
      }),
    });
  }

  private logged(): Writable {
    return new Writable({
      write: (line, _encoding, done) => {
        this.lines.push(String(line));
        done();
      },
    });
  }

  private owned(tenant: string, id: string): StoredFile | undefined {
    const file = this.files.get(id);
    return file?.tenant === tenant ? file : undefined;
  }

  private keyOf(keyHash: string): { id: string; tenant: TenantId; scopes: Scope[] } | null {
    for (const [id, key] of Object.entries(KEYS)) {
      if (createHash('sha256').update(key).digest('hex') !== keyHash || this.revoked.has(key)) continue;
      const tenant = TenantId.parse(id === 'reader' ? 'acme' : id);
      return { id, tenant, scopes: id === 'reader' ? ['read'] : ['read', 'write', 'admin'] };
    }
    return null;
  }

  private ingestion(): LocalSubgraph {
    const documentOf = (identity: Identity, id: string) => {
      const file = this.owned(identity.tenant, id);
      return file ? graphDocument(id, file) : null;
    };
    return subgraph(
      'ingestion',
      {
        Query: {
          document: (_, { id }: { id: string }, { identity }) => {
            if (id === 'never') return new Promise(() => {});
            if (id === 'boom') throw new TypeError('secret detail at /srv/internal.ts:12');
            return documentOf(identity, id);
          },
          documents: (_, __, { identity }) => {
            const nodes = [...this.files.keys()].flatMap((id) => documentOf(identity, id) ?? []);
            const pageInfo = { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null };
            return { nodes, edges: [], pageInfo, totalCount: nodes.length };
          },
          paragraphs: (_, { ids }: { ids: string[] }) => ids.map((id) => ({ __typename: 'Paragraph', id })),
        },
        Mutation: {
          deleteDocuments: (_, { filter }: { filter: { ids: string[] } }, { identity }) => {
            for (const id of filter.ids) if (this.owned(identity.tenant, id)) this.files.delete(id);
            return job('DELETE');
          },
          retryDocuments: () => ({
            __typename: 'Refused',
            code: 'CONFLICT',
            message: 'Nothing of it has failed.',
            next: 'Wait until it is READY.',
          }),
        },
        Paragraph: {
          __resolveReference: ({ id }: { id: string }) => ({ id }),
          document: (_, __, { identity }) => documentOf(identity, 'd1'),
        },
        Document: {
          __resolveReference: ({ id }: { id: string }, _, { identity }) => documentOf(identity, id),
        },
      } as Resolvers,
      this.seal,
    );
  }

  private retrieval(): LocalSubgraph {
    const hit = { paragraph: standInParagraph, score: 1, relevance: 0.8, why: [] };
    return subgraph(
      'retrieval',
      {
        Query: {
          search: (_, { query }: { query: string }) => {
            if (query === '') throw new CodedError('QUERY_EMPTY', 'The question is empty.');
            return {
              hits: [hit],
              plan: { query, language: 'en', index: 'i', encoder: 'e', fusion: 'MIN_MAX', legs: [], candidates: 1 },
              notices: [],
              tookMs: 1,
            };
          },
          ask: () => ({
            text: 'It is Friday [1].',
            found: true,
            citations: [{ marker: 1, paragraph: standInParagraph, quote: 'Friday' }],
            hits: [hit],
            model: 'extractive',
            notices: [],
          }),
        },
      } as Resolvers,
      this.seal,
    );
  }
}

const job = (kind: string) => ({
  __typename: 'Job',
  id: 'j1',
  kind,
  status: 'DONE',
  total: 1,
  done: 1,
  failed: 0,
  failures: [],
  startedAt: '2026-11-21T10:00:00Z',
});

const graphDocument = (id: string, { name, status, version }: StoredFile) => ({
  __typename: 'Document',
  id,
  version,
  title: name,
  sourceType: 'upload',
  sourceId: name,
  contentType: 'text/plain',
  addedAt: '2026-11-21T10:00:00Z',
  metadata: {},
  status,
  degraded: [],
  progress: { total: 1, indexed: 0, enriched: 0, failed: 0, ready: 0 },
});

const standInParagraph: HitParagraph = {
  id: 'p1',
  document: 'd1',
  version: 1,
  title: 'Plan',
  text: 'The deadline is Friday.',
  position: 0,
  page: 3,
  start: 0,
  end: 23,
  trail: ['Plan'],
  language: 'en',
  contentType: 'text/plain',
  sourceType: 'upload',
  sourceId: 'plan.txt',
  collection: null,
};

const standInAnswer = (): AnswerEvent[] => [
  { type: 'hits', hits: [{ paragraph: standInParagraph, score: 1, relevance: 0.8, why: [] }], notices: [] },
  { type: 'text', delta: 'It is Friday [1].' },
  {
    type: 'citation',
    citation: { marker: 1, paragraph: standInParagraph, quote: 'Friday', quoteStart: 16, quoteEnd: 22 },
  },
  { type: 'done', found: true, model: 'extractive', notices: [] },
];
