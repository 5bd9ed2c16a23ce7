import type { Facets, Lane } from '@postmaster/contracts';
import type { Rejection } from './gate/rejection.js';
import type { TaskPrompt } from './prompt/compose-prompt.js';
import type { Genre } from './prompt/genre.js';

/** Everything that the facets of one paragraph are made from, and nothing else: its hash keys the reply. */
export interface FacetInput {
  title: string;
  trail: readonly string[];
  /** Neighbouring paragraphs, '' at the document's ends, cut to a few hundred characters. */
  before: string;
  text: string;
  after: string;
  /** ISO 639-1 of the paragraph; null: the paragraph's own language is to be used, whatever it is. */
  language: string | null;
  /** What its document is, where that is known. */
  genre?: Genre;
  /** What the model is told; the shipped prompt of the language and genre unless told. */
  prompt?: TaskPrompt;
  /** False: of this text nothing is stored, so that no facet may repeat its sentences. May, where absent. */
  mayQuote?: boolean;
  /** What of an earlier reply did not count, of a paragraph that is asked about once more. */
  rejected?: readonly Rejection[];
}

/** Of all tries that a reply took. */
export interface TokenUsage {
  inputTokens: number;
  outputTokens: number;
  /** Of the input, read from the provider's cache; none unless told. */
  cachedTokens?: number;
  /** Replies that came; one unless told. */
  calls?: number;
}

export interface FacetReply {
  facets: Facets;
  usage: TokenUsage;
}

/**
 * Makes the facets of a paragraph. Failures are CodedErrors: MODEL_UNREACHABLE, MODEL_REFUSED, MODEL_MALFORMED,
 * MODEL_DECLINED, MODEL_TEXT_TOO_LONG.
 */
export interface FacetModel {
  /** "extractive", "openai:gpt-4o-mini", "ollama:llama3.2" */
  readonly id: string;
  /** Models that are asked where this one fails; `Facets.model` says which one made them. None unless told. */
  readonly fallbacks?: readonly string[];
  /** Of what it asks where no prompt comes with the input: "facets-3", "extractive-2". */
  readonly promptVersion: string;
  /** The most calls that may run at once; how many do, below this, is what the server bears. */
  readonly concurrency: number;
  /** False for the extractive enricher and for models on this machine: no estimate is asked for. */
  readonly remote: boolean;
  /** One structured call, with its own retries on 429, 5xx and malformed replies, and a time limit; bulk unless told. */
  makeFacets(input: FacetInput, signal?: AbortSignal, lane?: Lane): Promise<FacetReply>;
  /** Paragraphs of one document that `makeFacetsOf` is given at most; 1 unless told: then it is not asked. */
  readonly paragraphsPerCall?: number;
  /**
   * One structured call about several paragraphs of one document, alike in title, language and prompt. In their order;
   * undefined of a paragraph whose facets are missing in the reply, or came in another form.
   */
  makeFacetsOf?(
    inputs: readonly [FacetInput, ...FacetInput[]],
    signal?: AbortSignal,
    lane?: Lane,
  ): Promise<{ facets: readonly (Facets | undefined)[]; usage: TokenUsage }>;
}
