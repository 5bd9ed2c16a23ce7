import { linksOf } from './take-upload.js';

/** Requests and answers as partners' software sends and gets them, for the OpenAPI page. */
const ID = '0a4f5c1e-7a52-7d1c-9d0e-3f1f2b6f6d11';
const one = { name: 'invoice-4711.pdf', id: ID, version: 1, unchanged: false, links: linksOf(ID) };

export const ACCEPTED_EXAMPLE = { ...one, documents: [one] };

export const INGEST_EXAMPLES = {
  file: {
    summary: 'A file',
    value: {
      tenant_id: 'acme',
      doc_type: 'invoice',
      'encoding_model[model]': 'all-MiniLM-L6-v2',
      'vector_db[type]': 'embedded',
      document: '(the bytes of invoice-4711.pdf)',
    },
  },
  address: {
    summary: 'An address',
    value: { tenant_id: 'acme', doc_type: 'article', document: 'https://example.org/news/opening-hours.html' },
  },
};

export const UPLOAD_EXAMPLE = {
  title: 'Invoice 4711',
  collection: 'invoices',
  vendor: 'Aarhus Boats',
  file: '(the bytes of invoice-4711.pdf)',
};

export const QUERY_EXAMPLE = { query: 'When does the library in Aarhus open on Saturdays?', n: 3 };

export const QUERY_ANSWER_EXAMPLE = {
  query: QUERY_EXAMPLE.query,
  answer: 'The library in Aarhus opens at eight on weekdays and at ten on Saturdays. [1]',
  found: true,
  model: 'extractive',
  citations: [],
  paragraphs: [
    {
      ...{ id: 'p1', text: 'The library in Aarhus opens at eight on weekdays and at ten on Saturdays.' },
      ...{ position: 3, page: 1, start: 210, end: 284, trail: ['Opening hours'] },
      document: { id: ID, title: 'Opening hours', sourceUri: null },
      ...{ score: 0.98, relevance: 0.87 },
      why: [{ leg: 'PARAGRAPH', score: 0.71, scaled: 1, rank: 1, weight: 0.4, text: null }],
    },
  ],
  scores: [0.98],
  notices: [],
};

export const INIT_EXAMPLE = {
  tenant_id: 'acme',
  name: 'Acme Shipping',
  vector_db: { type: 'embedded' },
  encoding_model: { model: 'all-MiniLM-L6-v2' },
  llm_model: {
    model: 'gpt-4o-mini',
    url: 'https://api.example.org/v1',
    api_key: '(the key of the model)',
    fallbacks: [{ model: 'anthropic:claude-haiku-4-5', api_key: '(its key)' }],
  },
};

export const INIT_ANSWER_EXAMPLE = {
  tenant: { id: 'acme', name: 'Acme Shipping', createdAt: '2026-11-21T09:30:00.000Z' },
  key: {
    secret: '(shown this once)',
    key: { id: ID, name: 'first key', scopes: ['READ', 'WRITE', 'ADMIN'], createdAt: '2026-11-21T09:30:00.000Z' },
  },
  profile: {
    version: 1,
    vectorDb: { type: 'LANCEDB', url: null, apiKey: null },
    encodingModel: { model: 'all-MiniLM-L6-v2', url: null, apiKey: null },
    llmModel: {
      model: 'gpt-4o-mini',
      url: 'https://api.example.org/v1',
      apiKey: '…x7Qd',
      fallbacks: [{ model: 'anthropic:claude-haiku-4-5', url: null, apiKey: '…p3Rt' }],
    },
    checks: [
      { part: 'llm_model', ok: true, says: '"gpt-4o-mini" answered.' },
      { part: 'llm_model.fallbacks.0', ok: true, says: '"anthropic:claude-haiku-4-5" answered.' },
    ],
  },
};
