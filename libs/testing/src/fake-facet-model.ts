import type { CodedError, Facets } from '@postmaster/contracts';
import type { FacetInput, FacetModel, FacetReply, TokenUsage } from '@postmaster/enrichment';

/** A language model that makes facets of a paragraph's own words, and keeps what it was asked. */
export class FakeFacetModel implements FacetModel {
  readonly remote = true;
  fallbacks: readonly string[] = [];
  /** Every paid call, in order. */
  readonly calls: FacetInput[] = [];
  /** Thrown by every call while it is set; such a call is not paid. */
  failure: CodedError | undefined;
  /** The texts of each call about several paragraphs. */
  readonly together: string[][] = [];
  paragraphsPerCall = 1;
  /** Texts whose facets such a call leaves out. */
  readonly leftOut = new Set<string>();
  /** What the next calls answer, in order; of the paragraph's own words where there is none. */
  replies: Facets[] = [];
  /** Awaited by every call, so that a test can have something happen meanwhile. */
  during: (input: FacetInput) => Promise<void> | void = () => {};

  constructor(
    readonly id = 'fake:facets',
    readonly promptVersion = 'test-1',
    readonly concurrency = 2,
  ) {}

  async makeFacets(input: FacetInput): Promise<FacetReply> {
    if (this.failure) throw this.failure;
    this.calls.push(input);
    await this.during(input);
    const { id } = this;
    const promptVersion = input.prompt?.version ?? this.promptVersion;
    return {
      facets: this.replies.shift() ?? facetsOf(input.text, { id, promptVersion }),
      usage: { inputTokens: 10, outputTokens: 5 },
    };
  }

  async makeFacetsOf(inputs: readonly FacetInput[]): Promise<{ facets: (Facets | undefined)[]; usage: TokenUsage }> {
    if (this.failure) throw this.failure;
    this.together.push(inputs.map(({ text }) => text));
    const facets = inputs.map(({ text, prompt }) => {
      const promptVersion = prompt?.version ?? this.promptVersion;
      return this.leftOut.has(text) ? undefined : facetsOf(text, { id: this.id, promptVersion });
    });
    return { facets, usage: { inputTokens: 10, outputTokens: 5, cachedTokens: 1, calls: 2 } };
  }
}

export const facetsOf = (
  text: string,
  { id, promptVersion }: Pick<FacetModel, 'id' | 'promptVersion'> = { id: 'fake:facets', promptVersion: 'test-1' },
): Facets => ({
  simpleQuestions: [{ text: `What says ${text}?` }],
  complexQuestions: [{ text: `Why says ${text}?` }],
  context: `Context of ${text}`,
  scope: `Scope of ${text}`,
  model: id,
  promptVersion,
  quality: null,
});
