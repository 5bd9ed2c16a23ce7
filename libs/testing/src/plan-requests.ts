import type { KnownValues } from '@postmaster/contracts';
import { DANISH } from './plan-requests/danish.js';
import { ENGLISH } from './plan-requests/english.js';

/** When the requests are made: a Saturday. */
export const PLAN_NOW = new Date('2026-11-21T10:00:00Z');

/** What the tenant has that they are made in. */
export const PLAN_KNOWN: KnownValues = {
  collections: ['Contracts', 'Hus og have'],
  sourceTypes: ['upload', 'imap'],
  contentTypes: ['message/rfc822', 'application/pdf', 'image/png', 'text/plain'],
  languages: ['da', 'en'],
  metadata: {
    from: ['Apoteket Løven', 'Jens Hansen', 'Acme Ltd'],
    type: ['receipt', 'faktura'],
    case: ['A-17', 'B-20'],
    paid: [true, false],
  },
  created: { from: '2015-03-01T00:00:00.000Z', to: '2026-11-20T09:00:00.000Z' },
  added: { from: '2026-01-05T00:00:00.000Z', to: '2026-11-20T09:00:00.000Z' },
};

/** Fifty requests in plain words and the plan expected of each, half of them English, half Danish. */
export const PLAN_REQUESTS = [...ENGLISH, ...DANISH];
