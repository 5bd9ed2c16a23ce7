import { z } from 'zod';

/** How one kind of service is asked. */
export interface RerankProtocol {
  provider: 'cohere' | 'jina' | 'tei';
  /** Where its maker serves it; a service that everyone runs for themselves has no such place. */
  home?: string;
  path: string;
  maxTextsPerCall: number;
  request(model: string, query: string, texts: readonly string[]): object;
  /** A score for each index, as they were given; undefined where the answer has another form. */
  read(answer: unknown): readonly IndexedScore[] | undefined;
}

export interface IndexedScore {
  index: number;
  /** Null is JSON's NaN. */
  score: number | null;
}

const Results = z.object({
  results: z.array(z.object({ index: z.number(), relevance_score: z.number().nullable() })),
});
const readResults: RerankProtocol['read'] = (answer) =>
  Results.safeParse(answer).data?.results.map(({ index, relevance_score: score }) => ({ index, score }));

/** Cohere's `POST /v2/rerank`, which vLLM speaks as well. */
const COHERE: RerankProtocol = {
  provider: 'cohere',
  home: 'https://api.cohere.com',
  path: '/v2/rerank',
  maxTextsPerCall: 1_000, // its advice
  request: (model, query, documents) => ({ model, query, documents, top_n: documents.length }),
  read: readResults,
};

/** Jina's `POST /v1/rerank`, which vLLM, llama.cpp, Infinity and LocalAI speak as well. */
const JINA: RerankProtocol = {
  provider: 'jina',
  home: 'https://api.jina.ai',
  path: '/v1/rerank',
  maxTextsPerCall: 1_000,
  request: (model, query, documents) => ({ model, query, documents, top_n: documents.length, return_documents: false }),
  read: readResults,
};

const Scores = z.array(z.object({ index: z.number(), score: z.number().nullable() }));

/** `POST /rerank` of text-embeddings-inference, which serves one model and needs no name of it. */
const TEI: RerankProtocol = {
  provider: 'tei',
  path: '/rerank',
  maxTextsPerCall: 32, // its --max-client-batch-size, unless it was started with another
  // `truncate`: windows are cut by an estimate, and one that is a token too long would have the whole call refused
  request: (_, query, texts) => ({ query, texts, raw_scores: false, truncate: true }),
  read: (answer) => Scores.safeParse(answer).data,
};

export const RERANK_PROTOCOLS = { cohere: COHERE, jina: JINA, tei: TEI } as const;
