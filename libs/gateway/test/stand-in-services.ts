import { createHash } from 'node:crypto';
import { Readable, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  type AnswerEvent,
  answerStream,
  CodedError,
  type DomainEvent,
  identitySeal,
  type Observers,
  type Requests,
  type Scope,
  TenantId,
  verifyKey,
} from '@postmaster/contracts';
import { createLog } from '@postmaster/service';
import {
  createGateway,
  type DocumentBytes,
  type Gateway,
  type GatewayConfig,
  type GatewayParts,
  type Subgraph,
  type Uploads,
} from '../src/index.js';
import { ingestionResolvers, retrievalResolvers } from './stand-in-resolvers.js';
import { localSubgraph, type Served, servedSubgraph } from './stand-in-subgraphs.js';
import { standInAnswer, type StoredFile } from './stand-in-values.js';

/** Two tiny services behind the real gateway: they keep documents in memory, and ask for the internal token. */
export const KEYS = { acme: 'key-of-acme', other: 'key-of-other', reader: 'key-that-reads-only' } as const;
export const ADMIN_KEY = 'key-of-the-operator';

export class StandInServices {
  readonly seal = identitySeal(new TextEncoder().encode('a secret of at least 32 characters'));
  readonly files = new Map<string, StoredFile>();
  readonly revoked = new Set<string>();
  readonly lines: string[] = [];
  readonly log = createLog({ name: 'test', level: 'info', pretty: false, to: this.logged() });
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

  /** `absent` names services that do not answer; `others` replaces parts. */
  start(
    config: Partial<GatewayConfig> = {},
    absent: readonly string[] = [],
    others: Partial<GatewayParts> = {},
  ): Promise<Gateway> {
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
      subgraphs: Object.fromEntries(Object.entries(this.local()).filter(([name]) => !absent.includes(name))),
      uploads: this.uploads,
      bytes: this.bytes,
      log: this.log,
      ...others,
    });
  }

  /** The same services, each listening on a port of its own. */
  async serve(): Promise<{ ingestion: Served; retrieval: Served }> {
    return {
      ingestion: await servedSubgraph('ingestion', ingestionResolvers(this.files), this.seal, this.log),
      retrieval: await servedSubgraph('retrieval', retrievalResolvers(), this.seal, this.log),
    };
  }

  private local(): Record<string, Subgraph> {
    return {
      ingestion: localSubgraph('ingestion', ingestionResolvers(this.files), this.seal),
      retrieval: localSubgraph('retrieval', retrievalResolvers(), this.seal),
    };
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
}
