/** Selections that several operations share. */
const PARAGRAPH = 'id text position page start end trail document { id title sourceUri }';

const RERANK = 'rerank { reranker score scaled rank fusedRank verdict { reason relevant grade } }';

export const HIT = `kind score relevance why { leg score scaled rank weight share text } ${RERANK}
  duplicates { id document title } highlights { start end } paragraph { ${PARAGRAPH} }`;

export const CITATION = `marker quote quoteStart quoteEnd paragraph { ${PARAGRAPH} }`;

export const NOTICES = 'notices { code message next }';
