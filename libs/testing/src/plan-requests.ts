import type { KnownValues, QuestionKind } from '@postmaster/contracts';

/** [field, or a metadata key; value, several joined by "|", dates as from/to; the words of the request] */
export type ExpectedCondition = readonly [field: string, value: string, words: string];

export interface PlanRequest {
  request: string;
  kind: QuestionKind;
  /** The search text; the request itself where absent. */
  text?: string;
  conditions?: readonly ExpectedCondition[];
  sender?: string;
}

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

const MAIL = ['content-type', 'message/rfc822'] as const;
const PDF = ['content-type', 'application/pdf'] as const;
const SCAN = ['content-type', 'application/pdf|image/png'] as const;
const RECEIPT = ['type', 'receipt'] as const;
const INVOICE = ['type', 'faktura'] as const;

/** Requests in plain words and the plan expected of each: twenty-five in English, twenty-five in Danish. */
export const PLAN_REQUESTS: readonly PlanRequest[] = [
  {
    request: 'email receipt from the pharmacy last October',
    kind: 'document',
    text: 'receipt pharmacy',
    conditions: [
      [...MAIL, 'email'],
      [...RECEIPT, 'receipt'],
      ['created', '2026-10-01/2026-11-01', 'last October'],
    ],
    sender: 'pharmacy',
  },
  {
    request: 'scanned letter from the tax office in 2024',
    kind: 'document',
    text: 'letter tax office',
    conditions: [
      [...SCAN, 'scanned'],
      ['created', '2024-01-01/2025-01-01', 'in 2024'],
    ],
    sender: 'tax office',
  },
  {
    request: 'find mails from Jens Hansen since June about the boiler',
    kind: 'document',
    text: 'Jens Hansen boiler',
    conditions: [
      [...MAIL, 'mails'],
      ['from', 'Jens Hansen', 'Jens Hansen'],
      ['created', '2026-06-01/', 'since June'],
    ],
    sender: 'Jens Hansen',
  },
  {
    request: "Show me last week's emails",
    kind: 'document',
    text: 'emails',
    conditions: [
      [...MAIL, 'emails'],
      ['created', '2026-11-09/2026-11-16', "last week's"],
    ],
  },
  {
    request: 'PDF about solar panels from 2023',
    kind: 'document',
    text: 'solar panels',
    conditions: [
      [...PDF, 'PDF'],
      ['created', '2023-01-01/2024-01-01', 'from 2023'],
    ],
  },
  {
    request: 'documents uploaded yesterday',
    kind: 'document',
    text: 'documents',
    conditions: [['added', '2026-11-20/2026-11-21', 'uploaded yesterday']],
  },
  {
    request: 'invoices from Acme between March and May 2024',
    kind: 'document',
    text: 'invoices Acme',
    conditions: [
      [...INVOICE, 'invoices'],
      ['from', 'Acme Ltd', 'Acme'],
      ['created', '2024-03-01/2024-06-01', 'between March and May 2024'],
    ],
    sender: 'Acme',
  },
  {
    request: 'where is the receipt from Acme?',
    kind: 'document',
    text: 'receipt Acme',
    conditions: [
      [...RECEIPT, 'receipt'],
      ['from', 'Acme Ltd', 'Acme'],
    ],
    sender: 'Acme',
  },
  {
    request: 'contracts in the collection Contracts in English',
    kind: 'document',
    text: 'contracts',
    conditions: [
      ['collection', 'Contracts', 'in the collection Contracts'],
      ['language', 'en', 'in English'],
    ],
  },
  {
    request: 'all emails from the last 30 days',
    kind: 'document',
    text: 'emails',
    conditions: [
      [...MAIL, 'emails'],
      ['created', '2026-10-23/2026-11-22', 'from the last 30 days'],
    ],
  },
  {
    request: 'letter dated 3 May 2022',
    kind: 'document',
    text: 'letter',
    conditions: [['created', '2022-05-03/2022-05-04', 'dated 3 May 2022']],
  },
  {
    request: 'reports titled "Annual accounts" before 2020',
    kind: 'document',
    text: 'reports titled Annual accounts',
    conditions: [
      ['title', 'annual|accounts', 'titled "Annual accounts"'],
      ['created', '/2020-01-01', 'before 2020'],
    ],
  },
  {
    request: 'case:A-17 letters',
    kind: 'document',
    text: 'letters',
    conditions: [['case', 'A-17', 'case:A-17']],
  },
  {
    request: 'spreadsheet with the budget in Q2 2025',
    kind: 'document',
    text: 'spreadsheet budget',
    conditions: [['created', '2025-04-01/2025-07-01', 'in Q2 2025']],
  },
  {
    request: 'email about the fire in 1998',
    kind: 'document',
    text: 'fire 1998',
    conditions: [[...MAIL, 'email']],
  },
  { request: 'letters from 1944', kind: 'document' },
  { request: 'email encryption standards', kind: 'keywords' },
  { request: 'Who discovered radium in 1898?', kind: 'fact' },
  { request: 'How many mails were sent in October?', kind: 'fact' },
  { request: 'Why did the letter from the king in 1215 matter?', kind: 'explanation' },
  { request: 'What is the difference between a lease and a loan?', kind: 'comparison' },
  { request: 'Summarise the minutes from last week', kind: 'summary' },
  { request: 'Name three causes of the war of 1812', kind: 'list' },
  { request: 'The letter was sent by the king in 1215.', kind: 'statement' },
  { request: 'notice period lease 2024', kind: 'keywords' },

  {
    request: 'referatet fra bestyrelsesmødet i sidste uge',
    kind: 'document',
    text: 'referatet bestyrelsesmødet',
    conditions: [['created', '2026-11-09/2026-11-16', 'i sidste uge']],
  },
  {
    request: 'kvitteringen fra apoteket i oktober',
    kind: 'document',
    text: 'kvitteringen apoteket',
    conditions: [
      [...RECEIPT, 'kvitteringen'],
      ['from', 'Apoteket Løven', 'apoteket'],
      ['created', '2026-10-01/2026-11-01', 'i oktober'],
    ],
    sender: 'apoteket',
  },
  {
    request: 'find mailen fra Jens Hansen i går',
    kind: 'document',
    text: 'Jens Hansen',
    conditions: [
      [...MAIL, 'mailen'],
      ['from', 'Jens Hansen', 'Jens Hansen'],
      ['created', '2026-11-20/2026-11-21', 'i går'],
    ],
    sender: 'Jens Hansen',
  },
  {
    request: 'indscannet brev fra kommunen i 2024',
    kind: 'document',
    text: 'brev kommunen',
    conditions: [
      [...SCAN, 'indscannet'],
      ['created', '2024-01-01/2025-01-01', 'i 2024'],
    ],
    sender: 'kommunen',
  },
  {
    request: 'vis mig kontrakter på dansk i mappen Hus og have',
    kind: 'document',
    text: 'kontrakter',
    conditions: [
      ['language', 'da', 'på dansk'],
      ['collection', 'Hus og have', 'i mappen Hus og have'],
    ],
  },
  {
    request: 'huslejekontrakten fra 2019',
    kind: 'document',
    text: 'huslejekontrakten',
    conditions: [['created', '2019-01-01/2020-01-01', 'fra 2019']],
  },
  {
    request: 'alle fakturaer siden marts',
    kind: 'document',
    text: 'fakturaer',
    conditions: [
      [...INVOICE, 'fakturaer'],
      ['created', '2026-03-01/', 'siden marts'],
    ],
  },
  {
    request: 'mails for to uger siden om varmepumpen',
    kind: 'document',
    text: 'varmepumpen',
    conditions: [
      [...MAIL, 'mails'],
      ['created', '2026-11-02/2026-11-09', 'for to uger siden'],
    ],
  },
  {
    request: 'hvor er kvitteringen fra apoteket?',
    kind: 'document',
    text: 'kvitteringen apoteket',
    conditions: [
      [...RECEIPT, 'kvitteringen'],
      ['from', 'Apoteket Løven', 'apoteket'],
    ],
    sender: 'apoteket',
  },
  {
    request: 'breve mellem marts og maj',
    kind: 'document',
    text: 'breve',
    conditions: [['created', '2026-03-01/2026-06-01', 'mellem marts og maj']],
  },
  {
    request: 'pdf-filer uploadet i sidste måned',
    kind: 'document',
    text: 'pdf-filer',
    conditions: [
      [...PDF, 'pdf-filer'],
      ['added', '2026-10-01/2026-11-01', 'uploadet i sidste måned'],
    ],
  },
  {
    request: 'regningen fra Acme i fjor',
    kind: 'document',
    text: 'regningen Acme',
    conditions: [
      [...INVOICE, 'regningen'],
      ['from', 'Acme Ltd', 'Acme'],
      ['created', '2025-01-01/2026-01-01', 'i fjor'],
    ],
    sender: 'Acme',
  },
  {
    request: 'mails fra 1. til 5. maj 2024',
    kind: 'document',
    text: 'mails',
    conditions: [
      [...MAIL, 'mails'],
      ['created', '2024-05-01/2024-05-06', 'fra 1. til 5. maj 2024'],
    ],
  },
  {
    request: 'jeg leder efter billeder fra i år',
    kind: 'document',
    text: 'billeder',
    conditions: [
      ['content-type', 'image/png', 'billeder'],
      ['created', '2026-01-01/2027-01-01', 'fra i år'],
    ],
  },
  {
    request: 'har jeg breve fra de sidste 3 måneder?',
    kind: 'document',
    text: 'breve',
    conditions: [['created', '2026-08-21/2026-11-22', 'fra de sidste 3 måneder']],
  },
  {
    request: 'mail om branden i 1998',
    kind: 'document',
    text: 'branden 1998',
    conditions: [[...MAIL, 'mail']],
  },
  { request: 'dagsordenen for mødet i 2031', kind: 'document' },
  { request: 'referat af mødet om kloakken', kind: 'document' },
  { request: 'Hvem opdagede radium i 1898?', kind: 'fact' },
  { request: 'Hvornår udløber lejekontrakten fra 2019?', kind: 'fact' },
  { request: 'Hvorfor blev brevet fra kongen i 1215 vigtigt?', kind: 'explanation' },
  { request: 'Hvad er forskellen på leje og leasing?', kind: 'comparison' },
  { request: 'Opsummer referatet fra sidste uge', kind: 'summary' },
  { request: 'Brevet blev sendt af kongen i 1215.', kind: 'statement' },
  { request: 'opsigelse lejekontrakt 2024', kind: 'keywords' },
];
