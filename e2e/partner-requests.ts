import { CLUSTER } from './joined-server.js';
import type { ServerProcess } from './server-process.js';

export type Fields = Record<string, string>;

/** A form as curl sends it: -F name=value, -F document=@file. */
export const formOf = (fields: Fields, file?: { name: string; text: string }): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  if (file) form.append('document', new Blob([file.text]), file.name);
  return form;
};

/** Sends a form, or JSON, with a key. */
export const postTo = async (
  server: Pick<ServerProcess, 'url'>,
  key: string,
  path: string,
  body: FormData | string,
  more: Fields = {},
) => {
  const headers: Fields = { 'x-api-key': key, ...more };
  if (typeof body === 'string') headers['content-type'] = 'application/json';
  const response = await fetch(`${server.url}${path}`, { method: 'POST', body, headers });
  return { status: response.status, headers: response.headers, body: await response.json() };
};

/** A mutation that takes a text in under an identity of its own. */
export const ingestText = (text: string): string =>
  JSON.stringify({
    query: `mutation($input: IngestTextInput!) { ingestText(input: $input) {
      ... on Ingested { document { id } version unchanged } ... on Refused { code } } }`,
    variables: { input: { text, sourceId: `mutated ${text}` } },
  });

/** Stands for the caller's own tenant. */
export const OURS = 'ours';

/** The vector store that the server has, as partners call it and as the graph does, and one that it has not. */
export const STORE = CLUSTER
  ? ({ name: 'qdrant', type: 'QDRANT', other: 'embedded' } as const)
  : ({ name: 'embedded', type: 'LANCEDB', other: 'qdrant' } as const);

/** What an ingest of one's own tenant, on a server of its own models, is refused for. */
export const REFUSED_INGESTS: [what: string, fields: Fields, status: number, problem: object][] = [
  ["another's tenant", { tenant_id: 'other' }, 403, { code: 'FORBIDDEN', field: 'tenant_id' }],
  ['no tenant', { doc_type: 'memo' }, 400, { code: 'INPUT_INVALID', field: 'tenant_id' }],
  ['an unknown field', { tenant_id: OURS, colour: 'red' }, 400, { code: 'INPUT_INVALID' }],
  [
    'another encoder',
    { tenant_id: OURS, 'encoding_model[model]': 'bge-m3' },
    409,
    {
      code: 'ENCODER_MISMATCH',
      detail: 'The tenant\'s index was filled by the encoder "minilm:all-minilm-l6-v2-int8-1", not by "bge-m3".',
    },
  ],
  ['another store', { tenant_id: OURS, 'vector_db[type]': STORE.other }, 409, { code: 'PROFILE_MISMATCH' }],
  ['an unknown store', { tenant_id: OURS, 'vector_db[type]': 'abacus' }, 400, { code: 'INPUT_INVALID' }],
  ['another language model', { tenant_id: OURS, 'llm_model[model]': 'gpt-9' }, 409, { code: 'PROFILE_MISMATCH' }],
  [
    "a key that is not the tenant's",
    { tenant_id: OURS, 'llm_model[api_key]': 'sk-canary-in-a-form' },
    409,
    { code: 'PROFILE_MISMATCH', field: 'llm_model[api_key]' },
  ],
];
