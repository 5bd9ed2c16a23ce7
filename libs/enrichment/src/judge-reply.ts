import { CodedError, type Facets, type TenantId } from '@postmaster/contracts';
import type { FacetInput } from './facet-model.js';
import { gateGround } from './gate/gate-ground.js';
import { judgeFacets, toCompare, type Verdict } from './gate/judge-facets.js';
import { questionCounts } from './prompt/question-counts.js';

export interface JudgePorts {
  /** ISO 639-1, or null where it can't be told. */
  languageOf: (text: string) => string | null;
  /** One vector per text, in order: of at most `MOST_PASSAGES`. Words decide alone where it throws a CodedError. */
  encode: (tenant: TenantId, texts: readonly string[]) => Promise<readonly Float32Array[]>;
}

/** Judges a reply; where another paragraph has more of a question's words, by vectors too. */
export const judgeReply = async (
  { languageOf, encode }: JudgePorts,
  tenant: TenantId,
  input: FacetInput,
  others: readonly string[],
  facets: Facets,
): Promise<Verdict> => {
  const ground = gateGround(input, others, languageOf);
  const texts = toCompare(ground, facets);
  const vectors = texts.length > 0 ? await encode(tenant, texts).catch(unlessCoded) : [];
  const byText = new Map(vectors.map((vector, at) => [texts[at] ?? '', vector]));
  return judgeFacets(ground, facets, questionCounts(input.text), byText);
};

const unlessCoded = (error: unknown): readonly Float32Array[] => {
  if (error instanceof CodedError) return [];
  throw error;
};
