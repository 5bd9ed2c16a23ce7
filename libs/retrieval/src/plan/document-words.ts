/** A kind of document that people ask for by name, and how documents that were taken in show it. */
export interface DocumentKind {
  /** In lower case, with their endings. */
  words: string;
  /** It stands before another kind: "email receipt", "skannet brev". */
  attribute?: true;
  /** Danish compounds end in it: "huslejekontrakten". */
  compounds?: true;
  /** "of" and "from" name what it was made at, not who sent it or what it is about: "referatet fra mødet". */
  ofEvent?: true;
  /** Beginnings of content types. Where one of these is there, the source types are not asked. */
  contentTypes?: readonly string[];
  sourceTypes?: readonly string[];
}

export const DOCUMENT_KINDS: Readonly<Record<string, DocumentKind>> = {
  mail: {
    words: `email emails e-mail e-mails mail mails mailen mailene e-mailen e-mailene`,
    attribute: true,
    contentTypes: ['message/rfc822', 'application/vnd.ms-outlook'],
    sourceTypes: ['mail', 'email', 'imap', 'gmail', 'outlook'],
  },
  pdf: {
    words: `pdf pdfs pdf'er pdf'en pdf-fil pdf-filen pdf-filer pdf-filerne`,
    attribute: true,
    contentTypes: ['application/pdf'],
  },
  scan: {
    words: `scan scans scanned scannet scannede skannet skannede indscannet indscannede indskannet scanning scanningen`,
    attribute: true,
    contentTypes: ['image/', 'application/pdf'],
  },
  picture: {
    words: `picture pictures photo photos image images screenshot screenshots billede billedet billeder billederne foto
      fotos fotoet skærmbillede skærmbilledet skærmbilleder`,
    contentTypes: ['image/'],
  },
  spreadsheet: {
    words: `spreadsheet spreadsheets excel excel-ark excel-arket regneark regnearket regnearkene`,
    attribute: true,
    contentTypes: [
      'application/vnd.openxmlformats-officedocument.spreadsheetml',
      'application/vnd.ms-excel',
      'application/vnd.oasis.opendocument.spreadsheet',
      'text/csv',
    ],
  },
  slides: {
    words: `slides slideshow powerpoint powerpoints powerpointen`,
    attribute: true,
    contentTypes: [
      'application/vnd.openxmlformats-officedocument.presentationml',
      'application/vnd.ms-powerpoint',
      'application/vnd.oasis.opendocument.presentation',
    ],
  },
  page: {
    words: `webpage webpages hjemmeside hjemmesiden webside websiden websider`,
    contentTypes: ['text/html'],
  },
  receipt: { words: `receipt receipts kvittering kvitteringen kvitteringer kvitteringerne bon bonen`, compounds: true },
  invoice: {
    words: `invoice invoices bill bills faktura fakturaen fakturaer fakturaerne regning regningen regninger regningerne`,
    compounds: true,
  },
  letter: { words: `letter letters brev brevet breve brevene`, compounds: true },
  contract: {
    words: `contract contracts agreement agreements lease leases kontrakt kontrakten kontrakter kontrakterne aftale
      aftalen aftaler aftalerne`,
    compounds: true,
  },
  minutes: { words: `minutes referat referatet referater referaterne`, compounds: true, ofEvent: true },
  ticket: { words: `ticket tickets billet billetten billetter billetterne`, compounds: true },
  report: { words: `report reports rapport rapporten rapporter rapporterne`, compounds: true },
  manual: {
    words: `manual manuals handbook guide vejledning vejledningen vejledninger manualen manualer håndbog håndbogen`,
    compounds: true,
  },
  payslip: { words: `payslip payslips lønseddel lønsedlen lønsedler lønsedlerne` },
  offer: { words: `quote quotes offer offers tilbud tilbuddet tilbuddene`, compounds: true },
  agenda: { words: `agenda agendas dagsorden dagsordenen dagsordener` },
  memo: { words: `memo memos memorandum notat notatet notater notaterne`, compounds: true },
  /** Any document: it asks for one, and says nothing of its kind. */
  document: {
    words: `document documents file files attachment attachments dokument dokumentet dokumenter dokumenterne fil filen
      filer filerne bilag bilaget bilagene`,
  },
};

/** Keys of the metadata that hold a document's kind, its sender, and that it was scanned; letters alone are compared. */
export const KIND_KEYS = 'type kind category documenttype doctype dokumenttype kategori';
export const SENDER_KEYS = 'from sender author vendor company issuer afsender fra forfatter leverandør butik firma';
export const VENDOR_KEYS = 'vendor leverandør butik firma company issuer';
/** Kinds of documents that somebody sells by. */
export const SOLD: ReadonlySet<string> = new Set(['receipt', 'invoice', 'ticket']);
export const SCAN_KEYS = 'scanned ocr scannet';

/** What a request for documents opens with; what follows must name a kind of document. */
export const OPENINGS: readonly string[] = [
  'can you find me',
  'can you find',
  'could you find me',
  'could you find',
  'please find',
  'find me',
  'find',
  'please show me',
  'show me',
  'show',
  'get me',
  'get',
  'search for',
  'look for',
  "i'm looking for",
  'i am looking for',
  'looking for',
  'i need',
  'i want',
  'list',
  'where is',
  'where are',
  "where's",
  'do i have',
  'do we have',
  'which',
  'kan du finde',
  'find',
  'vis mig',
  'vis',
  'hent',
  'giv mig',
  'søg efter',
  'led efter',
  'jeg leder efter',
  'jeg søger',
  'jeg mangler',
  'jeg skal bruge',
  'hvor er',
  'hvor ligger',
  'har jeg',
  'har vi',
  'hvilke',
  'hvilken',
  'hvilket',
];

export const DETERMINERS = `the a an my our your any all every some this that these those both only just
  den det de en et min mit mine vores din dit dine alle al alt nogen noget nogle denne dette disse kun`;

/** What ends the noun phrase that says what is asked for. */
export const AFTER_HEAD = `from by of in on at about regarding concerning with without to for between since before after
  until during that which who where when where dated sent received written titled called named signed
  fra af i på om vedrørende angående med uden til for mellem siden før efter inden under som der hvor da dateret sendt
  modtaget skrevet kaldet underskrevet`;

export const SENDER_LEADS = `from by fra af`;
/** What follows says what a document is about: a date there is seldom the document's own. */
export const ABOUT_LEADS = `about regarding concerning on om vedrørende angående`;
export const OF_LEADS = `of af`;
export const ADDED_WORDS = `added uploaded imported ingested tilføjet uploadet lagt importeret`;
export const COLLECTION_WORDS = `collection folder samling samlingen mappe mappen`;
export const TITLE_WORDS = `titled called named title titlen hedder kaldet navn`;

/** A language that a document may be said to be in, by its ISO 639-1 code. */
export const LANGUAGE_WORDS: Readonly<Record<string, string>> = {
  da: 'danish dansk',
  en: 'english engelsk',
  de: 'german tysk',
  sv: 'swedish svensk',
  no: 'norwegian norsk',
  fr: 'french fransk',
  es: 'spanish spansk',
  it: 'italian italiensk',
  nl: 'dutch hollandsk nederlandsk',
};
