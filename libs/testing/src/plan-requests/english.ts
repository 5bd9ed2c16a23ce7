import { INVOICE, MAIL, PDF, type PlanRequest, RECEIPT, SCAN } from './plan-request.js';

export const ENGLISH: readonly PlanRequest[] = [
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
];
