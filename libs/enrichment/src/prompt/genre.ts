import type { DocumentFacts, DocumentType } from '@postmaster/contracts';

/** The types of documents that a prompt asks of in ways of their own. */
export const GENRES = [
  'article',
  'manual',
  'documentation',
  'contract',
  'mail',
  'receipt',
  'code',
  'issue',
  'minutes',
] as const;
export type Genre = (typeof GENRES)[number];

/** What extraction, or a person, says that a document is. `other` says nothing. */
const OF_EXTRACTED: Readonly<Partial<Record<string, Genre>>> = {
  ...{ mail: 'mail', letter: 'mail', contract: 'contract' },
  ...{ receipt: 'receipt', invoice: 'receipt', ticket: 'receipt' },
} satisfies Partial<Record<DocumentType, Genre>>;

/** Under these names uploaders tell what a document is. */
const TYPE_KEYS = ['type', 'docType', 'doc_type', 'documentType', 'document_type', 'kind', 'genre'];

const MAILS = ['message/rfc822', 'application/vnd.ms-outlook'];
const MAIL_SOURCES = ['mail', 'email', 'imap'];
const CODE_NAME =
  /\.(?:c|cc|cpp|cs|css|go|h|hpp|java|js|jsx|kt|lua|mjs|php|pl|ps1|py|r|rb|rs|scala|sh|sql|swift|ts|tsx|vue)$/i;
const CODE_TYPE =
  /^(?:application\/(?:javascript|typescript|sql|x-sh)|text\/(?:javascript|css|x-(?!markdown|log)[\w-]+))\b/;

/** Words of a title or a given type, the more particular genre first. Danish compounds end in the word. */
const WORDS: readonly (readonly [Genre, RegExp])[] = [
  ['minutes', word('minutes|\\p{L}*referat(?:et|er)?|beslutningsprotokol')],
  [
    'receipt',
    word(
      'receipts?|invoices?|ticket stub|boarding pass|\\p{L}*kvittering(?:en|er)?|\\p{L}*faktura(?:en|er)?|kassebon|billet(?:ten|ter)?',
    ),
  ],
  [
    'contract',
    word(
      'contracts?|agreements?|lease|terms (?:and|of) \\p{L}+|\\p{L}*kontrakt(?:en|er)?|\\p{L}*(?:aftale|overenskomst)(?:n|r)?|vilkår|vedtægter',
    ),
  ],
  ['issue', word('issue #?\\d+|bugs?|fejlmelding(?:en|er)?|fejlrapport(?:en|er)?')],
  [
    'manual',
    word('manuals?|user guide|instructions for use|handbook|\\p{L}*(?:vejledning|anvisning|manual|håndbog)(?:en|er)?'),
  ],
  ['documentation', word('readme|documentation|docs|api|changelog|release notes|\\p{L}*dokumentation(?:en)?')],
  ['mail', word('e-?mails?|letters?|brev(?:et|e)?')],
  ['code', word('source code|kildekode(?:n)?')],
  ['article', word('articles?|news|essay|blog|\\p{L}*artikel|\\p{L}*artikl(?:en|er)|nyhed(?:en|er)?')],
];

function word(alternatives: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives})(?![\\p{L}\\p{N}])`, 'iu');
}

/** What a document is by its metadata. */
export interface ExtractedType {
  type: string;
  /** A person says so. */
  byPerson: boolean;
}

export type GenreFacts = Pick<DocumentFacts, 'title' | 'contentType' | 'sourceType' | 'sourceId' | 'metadata'>;

/**
 * What a document is to the prompts, by what is known of it without its text: what a person corrected, what whoever gave
 * it says, what was extracted, its format, the words of its title and name; undefined where nothing tells.
 */
export const genreOf = (
  { title, contentType, sourceType, sourceId, metadata }: GenreFacts,
  extracted?: ExtractedType,
): Genre | undefined => {
  const said = TYPE_KEYS.map((key) => metadata[key]).find((value) => typeof value === 'string');
  const known = extracted && genreOfExtracted(extracted.type);
  return (
    (extracted?.byPerson ? known : undefined) ??
    (typeof said === 'string' ? genreNamed(said) : undefined) ??
    known ??
    (MAILS.includes(contentType) || MAIL_SOURCES.includes(sourceType) ? 'mail' : undefined) ??
    (CODE_NAME.test(title) || CODE_NAME.test(sourceId) || CODE_TYPE.test(contentType) ? 'code' : undefined) ??
    genreIn(sourceType) ??
    genreIn(title) ??
    genreIn(lastPart(sourceId))
  );
};

/** Of a path or an address. */
const lastPart = (sourceId: string): string =>
  sourceId
    .split(/[\\/]/)
    .at(-1)
    ?.replace(/\.\w+$/, '') ?? '';

export const genreOfExtracted = (type: string): Genre | undefined =>
  Object.hasOwn(OF_EXTRACTED, type) ? OF_EXTRACTED[type] : undefined;

const genreNamed = (said: string): Genre | undefined => {
  const plain = said.trim().toLowerCase();
  return GENRES.find((genre) => genre === plain) ?? genreOfExtracted(plain) ?? genreIn(plain);
};

const genreIn = (text: string): Genre | undefined =>
  WORDS.find(([, words]) => words.test(text.replaceAll(/[_-]+/g, ' ')))?.[0];
