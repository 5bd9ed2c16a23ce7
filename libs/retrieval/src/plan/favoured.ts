import type { QuestionKind, Reading } from '@postmaster/contracts';

/**
 * Factors on the weights of legs. Context says of which document, people and time a paragraph is, scope what it covers:
 * what requests for documents and summaries name. For questions the default weights were measured best; no other kind
 * moves them.
 */
const FAVOURED: Partial<Record<QuestionKind, Reading['favour']>> = {
  document: { context: 2, scope: 1.5 },
  summary: { context: 1.5, scope: 2 },
};

export const favoured = (kind: QuestionKind): Reading['favour'] => ({ ...FAVOURED[kind] });
