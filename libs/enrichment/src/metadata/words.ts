/** Words by which rules find metadata, Danish and English alike. A label with a colon counts only with it. */
export const LABELS = {
  date: [
    'fakturadato',
    'regningsdato',
    'betalingsdato',
    'dato',
    'udskrevet',
    'invoice date',
    'issue date',
    'issued',
    'bill date',
    'date of issue',
    'order date',
    'date',
    'when',
    'hvornår',
  ],
  dueDate: [
    'forfaldsdato',
    'forfalder',
    'forfald',
    'betalingsfrist',
    'betales senest',
    'sidste rettidige betalingsdag',
    'due date',
    'payment due',
    'due',
    'pay by',
    'payable by',
  ],
  vendor: [
    'from:',
    'fra:',
    'vendor',
    'seller',
    'sælger',
    'leverandør',
    'butik:',
    'forretning:',
    'udsteder',
    'issued by',
    'arrangør',
    'organiser',
  ],
  customer: [
    'faktureret til',
    'faktureres til',
    'faktura til',
    'kunde',
    'kundenavn',
    'bill to',
    'billed to',
    'invoice to',
    'sold to',
    'customer',
    'client',
    'guest',
    'gæst',
    'account holder',
    'to:',
    'til:',
  ],
  event: ['event', 'arrangement', 'film', 'kamp', 'forestilling', 'koncert', 'show', 'match', 'performance', 'concert'],
  venue: [
    'venue',
    'where',
    'sted',
    'stadion',
    'spillested',
    'location',
    'fra:',
    'from:',
    'depart',
    'departs',
    'afgang',
  ],
  seat: ['seat', 'seats', 'plads', 'pladser', 'sæde'],
  attendees: [
    'name',
    'navn',
    'attendee',
    'attendees',
    'passenger',
    'passengers',
    'passager',
    'passagerer',
    'rejsende',
    'deltager',
    'deltagere',
    'holder',
  ],
  parties: [
    'udlejer',
    'lejer',
    'køber',
    'sælger',
    'arbejdsgiver',
    'lønmodtager',
    'medarbejder',
    'landlord',
    'tenant',
    'employer',
    'employee',
    'buyer',
    'seller',
    'lessor',
    'lessee',
  ],
} as const;

/** Of what is paid in all, the surest first. */
export const TOTALS: readonly RegExp[] = [
  /(?<![\p{L}])(?:i alt at betale|total at betale|skyldigt beløb(?: i alt)?|beløb i alt|at betale|til betaling|total due|amount due|balance due|amount to pay|grand total|total paid|total amount|pris i alt|samlet pris)(?![\p{L}])/giu,
  /(?<![\p{L}-])(?:i\s?alt|total)(?![\p{L}])(?!\s+(?:ekskl|excl))/giu,
  /(?<![\p{L}])(?:beløb|betalt|amount|pris|price|fare|billetpris|husleje|løn|salary|rent|fee)(?![\p{L}])(?!\s+(?:ekskl|excl))/giu,
];
export const TAX =
  /(?<!(?:ekskl|excl|inkl|incl|u|uden|før|plus|without|excluding|including)\.?\s)(?<![\p{L}])(?:moms|vat|sales tax|tax|gst)(?![\p{L}-])(?!\s+(?:reg|no|nr|id|number))/giu;

export const PAYMENTS: Readonly<Record<string, RegExp>> = {
  card: /(?<![\p{L}])(?:dankort|visa|mastercard|maestro|amex|american express|betalt med kort|kortbetaling|card ending|kort:)(?![\p{L}])/iu,
  mobile: /(?<![\p{L}])(?:mobilepay|apple pay|google pay|vipps|swish)(?![\p{L}])/iu,
  cash: /(?<![\p{L}])(?:kontant|kontanter|cash)(?![\p{L}])/iu,
  online: /(?<![\p{L}])(?:paypal|klarna)(?![\p{L}])/iu,
  transfer:
    /(?<![\p{L}])(?:bank transfer|wire transfer|bankoverførsel|overføres|overført|iban)(?![\p{L}])|reg\.\s?\d{4}/iu,
  'direct-debit': /(?<![\p{L}])(?:betalingsservice|direct debit|leverandørservice)(?![\p{L}])/iu,
};
/** A choice is offered, not made. */
export const OFFERED =
  /mobilepay eller kort|kort eller mobilepay|card or |cards? (?:payments? )?(?:are |is )?accepted|accept (?:credit |debit )?cards/iu;

/** Headings that say what a document is: at the beginning of one of its first lines. */
export const HEADINGS = {
  receipt: /^(?:your |din )?(?:kvittering|receipt|kassebon|bon|købskvittering|sales receipt)(?![\p{L}])/iu,
  invoice:
    /^(?:your |din )?(?:faktura|invoice|tax invoice|regning|rykker|betalingspåmindelse|kreditnota|credit note|opkrævning|bill|statement)(?![\p{L}])/iu,
  ticket:
    /^(?:your |din |[\p{L}-]{1,20} )?(?:[\p{L}-]*billet|e-?ticket|ticket|boarding pass|boardingkort|årskort|entrance ticket)(?![\p{L}])/iu,
  contract: /^(?:\p{L}{0,20}\s?)(?:kontrakt|\p{L}*kontrakt|contract|agreement|lease|\p{L}*aftale)(?![\p{L}])/iu,
} as const;

export const SALUTATION = /^(?:kære|til|hej|dear|to|hi|hello)\s+(?<name>\p{L}[^,!:\n]{0,80}?)\s*[,!:]?$/iu;
export const CLOSING =
  /^(?:(?:med |de )?(?:venlig|venlige|kærlig|kærlige|bedste|mange)\s+hilsn?(?:en|er)|hilsen|mvh|kh|yours (?:sincerely|faithfully|truly)|(?:kind|best|warm)\s+regards|regards|sincerely)(?![\p{L}])[,.]?\s*(?<rest>.*)$/iu;
export const SEAT_WORDS = /(?<![\p{L}])(?:vogn|sal|afsnit|række|row|plads|seat|sæde|block|section)(?![\p{L}])/giu;
export const COMPANY = String.raw`(?:A/S|ApS|I/S|P/S|A\.M\.B\.A|Inc\.?|Ltd\.?|LLC|GmbH|AB|AG|PLC)`;
