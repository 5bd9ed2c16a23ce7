import { Chunking, type TenantProfile } from '@postmaster/contracts';

/** How a document is to be cut: as it was asked for it itself, else as its tenant wants it. */
export const wantedCut = (
  own: Chunking | null,
  { chunking, paragraphWords: words, longParagraphs: long }: TenantProfile,
) => ({ chunking: own ?? chunking, words, long });

/** What is kept of how a version was cut: "headings 120". Another one has other paragraphs. */
export const cutOf = ({ chunking, words }: { chunking: Chunking; words: number }): string => `${chunking} ${words}`;

/** Null where nothing is kept: it was not read yet, or before there was a choice. */
export const strategyOf = (cut: string | null): Chunking | null =>
  cut === null ? null : Chunking.parse(cut.split(' ')[0]);

/** Whether an upload of the same bytes asks for another way than they are, or will be, cut. */
export const isCutOtherwise = (
  known: { chunking: Chunking | null; cut: string | null } | undefined,
  wanted: Chunking | undefined,
): boolean =>
  known !== undefined && wanted !== undefined && wanted !== (known.chunking ?? strategyOf(known.cut) ?? 'paragraphs');
