import { INVOICE, MAIL, PDF, type PlanRequest, RECEIPT, SCAN } from './plan-request.js';

export const DANISH: readonly PlanRequest[] = [
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
