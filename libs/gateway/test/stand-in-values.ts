import type { AnswerEvent, HitParagraph } from '@postmaster/contracts';

export interface StoredFile {
  tenant: string;
  name: string;
  bytes: Buffer;
  fields: object;
  version: number;
  status: string;
}

export const job = (kind: string) => ({
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

export const graphDocument = (id: string, { name, status, version }: StoredFile) => ({
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

export const standInParagraph: HitParagraph = {
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

export const standInAnswer = (): AnswerEvent[] => [
  {
    type: 'hits',
    hits: [
      {
        paragraph: standInParagraph,
        score: 1,
        relevance: 0.8,
        why: [],
        duplicates: [],
        highlights: [{ start: 4, end: 12 }],
      },
    ],
    notices: [],
  },
  { type: 'text', delta: 'It is Friday [1].' },
  {
    type: 'citation',
    citation: { marker: 1, paragraph: standInParagraph, quote: 'Friday', quoteStart: 16, quoteEnd: 22 },
  },
  { type: 'done', found: true, model: 'extractive', notices: [] },
];
