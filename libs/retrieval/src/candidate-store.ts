import type { Leg, PointKind, PointPayload, ScoredLeg, SearchFilter, TenantId } from '@postmaster/contracts';

export interface Probe {
  /** The question's unit-length vector. */
  vector: Float32Array;
  /** The question's words, for the lexical leg. */
  text: string;
  legs: readonly Leg[];
  filter?: SearchFilter;
  /** What candidates are to be of: paragraphs unless told. */
  kind?: PointKind;
}

export interface Scored {
  id: string;
  /** Cosine (−1…1) on a vector leg, BM25 (> 0) on the lexical one. */
  score: number;
}

export interface Candidate {
  id: string;
  payload: PointPayload;
  /** Exact score per leg asked for. Absent: the paragraph has no such vector (yet). Lexical is 0 where no word matches. */
  scores: Partial<Record<ScoredLeg, number>>;
  /** Which question (index into the payload's list) gave the score of a question leg. */
  matched: Partial<Record<'simple_questions' | 'complex_questions', number>>;
  /** What gave the score of the leg of entities, which no store has. */
  named?: readonly string[];
}

/** Neighbouring paragraphs of one document; both positions belong to it. */
export interface Span {
  document: string;
  from: number;
  to: number;
}

/** Which paragraphs to read: those that every given condition lets through; with none, all of the tenant's. */
export interface ParagraphChoice {
  ids?: readonly string[];
  /** Those that lie in any of these. */
  spans?: readonly Span[];
  filter?: SearchFilter;
  /** Their vectors, too. */
  vectors?: boolean;
}

export interface StoredParagraph {
  id: string;
  payload: PointPayload;
  /** Of its text; null where it was not asked for, or isn't there. */
  vector: Float32Array | null;
}

/**
 * The reading half of a vector store: two round trips a search at most, the first for paragraphs and summaries at once, one more for what `read` gives. Only active points of the tenant answer;
 * another tenant's documents change no score, and neither do summaries a paragraph's. An index or tenant with no points gives empty answers.
 */
export interface CandidateStore {
  /** Each leg's best `perLeg` points, best first. */
  candidates(tenant: TenantId, index: string, probe: Probe, perLeg: number): Promise<Partial<Record<Leg, Scored[]>>>;
  /** Exact scores on every leg for these ids, whatever they are of, with payload; ids that are gone or inactive are left out. */
  complete(tenant: TenantId, index: string, probe: Probe, ids: readonly string[]): Promise<Candidate[]>;
  /** At most `most` paragraphs, in the order of document, version and position. Which, where there are more, is open. */
  read(tenant: TenantId, index: string, choice: ParagraphChoice, most: number): Promise<StoredParagraph[]>;
}
