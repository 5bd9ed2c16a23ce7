import type { ServerProcess } from './server-process.js';

export interface Problem {
  code: string;
  next: string;
  detail?: string;
  status: number;
}

export interface GraphqlAnswer<T> {
  data: T | null;
  errors?: { message: string; path?: (string | number)[]; extensions: { code: string; next?: string } }[];
}

/** A caller of the server through its front door. */
export const clientOf = (server: Pick<ServerProcess, 'url'>, key: string) => {
  const headers = { authorization: `Bearer ${key}` };
  const graphql = async <T>(query: string, variables: Record<string, unknown> = {}): Promise<GraphqlAnswer<T>> => {
    const response = await fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    });
    return (await response.json()) as GraphqlAnswer<T>;
  };
  /** Data without errors, or a throw. */
  const ask = async <T>(query: string, variables: Record<string, unknown> = {}): Promise<T> => {
    const { data, errors } = await graphql<T>(query, variables);
    if (errors || !data) throw new Error(JSON.stringify(errors));
    return data;
  };
  const upload = async (
    name: string,
    bytes: Uint8Array | string,
    fields: Record<string, string> = {},
  ): Promise<{ status: number; body: Record<string, unknown> }> => {
    const form = new FormData();
    for (const [field, value] of Object.entries(fields)) form.append(field, value);
    form.append('file', new Blob([typeof bytes === 'string' ? bytes : Buffer.from(bytes)]), name);
    const response = await fetch(`${server.url}/api/v1/documents`, { method: 'POST', headers, body: form });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const get = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${server.url}${path}`, { ...init, headers: { ...headers, ...init.headers } });
  return { graphql, ask, upload, get };
};

export type Client = ReturnType<typeof clientOf>;

export interface DocumentState {
  id: string;
  version: number;
  status: string;
  failure: { code: string; message: string; next: string } | null;
  progress: { total: number; indexed: number; enriched: number; failed: number; ready: number };
}

const STATE = `query($id: ID!) { document(id: $id) {
  id version status failure { code message next } progress { total indexed enriched failed ready } } }`;

/** Asks until the document has one of these states; throws after `withinMs`. */
export const follow = async (
  client: Client,
  id: string,
  until: readonly string[] = ['READY', 'FAILED'],
  withinMs = 60_000,
): Promise<DocumentState> => {
  const end = Date.now() + withinMs;
  for (;;) {
    const { document } = await client.ask<{ document: DocumentState | null }>(STATE, { id });
    if (document && until.includes(document.status)) return document;
    if (Date.now() > end) throw new Error(`Not ${until.join(' or ')} in time: ${JSON.stringify(document)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};
