/** The GraphQL that the command line sends. */
const FAILURE = 'code message next';

const DOCUMENT = `
  id version title sourceType sourceId sourceUri collection contentType language createdAt addedAt metadata status
  failure { ${FAILURE} } degraded { ${FAILURE} }
  progress { total indexed enriched failed ready paused { ${FAILURE} } secondsLeft }`;

const PLACE = 'id text position page start end trail';

const RERANK = 'rerank { reranker score scaled rank fusedRank verdict { reason relevant grade } }';

const HIT = `kind score relevance why { leg score scaled rank weight share text } ${RERANK}
  duplicates { id document title } highlights { start end }
  paragraph { ${PLACE} document { id title sourceUri } }`;

const PLAN = `query language encoder fusion candidates planning
  reading {
    kind searchText keywords entities { text role } dates { words from to }
    conditions { field key equals oneOf allOf from to certainty words }
    favour { paragraph simpleQuestions complexQuestions context scope lexical } variations { kind text }
  }
  cost { modelCalls inputTokens outputTokens texts tookMs }`;

const JOB = 'id kind status total done failed failures { document failure { code message next } }';

const JOB_RESULT = `__typename ... on Job { ${JOB} } ... on Refused { ${FAILURE} }`;

export const DOCUMENTS = `query ($first: Int, $after: String, $filter: DocumentFilter) {
  documents(first: $first, after: $after, filter: $filter) {
    nodes { ${DOCUMENT} } totalCount pageInfo { hasNextPage endCursor }
  }
}`;

export const EXTRACTED = 'type dropped model fields { name value from spans { start end } }';

export const SHOW = `query ($id: ID!, $first: Int) {
  document(id: $id) {
    ${DOCUMENT}
    extracted { ${EXTRACTED} }
    paragraphs(first: $first) {
      totalCount
      nodes {
        ${PLACE}
        facets {
          simpleQuestions { text kind quality } complexQuestions { text kind quality }
          context scope model promptVersion quality
        }
      }
    }
  }
}`;

export const SEARCH = `query ($query: String!, $first: Int, $filter: SearchFilter, $options: SearchOptions) {
  search(query: $query, first: $first, filter: $filter, options: $options) {
    hits { ${HIT} } plan { ${PLAN} } notices { ${FAILURE} } tookMs
  }
}`;

export const SIMILAR = `query ($paragraph: ID!, $first: Int) {
  similar: moreLikeThis(paragraph: $paragraph, first: $first) { hits { ${HIT} } notices { ${FAILURE} } }
}`;

export const SUMMARIZE = `query ($filter: SearchFilter, $points: Int) {
  summary: summarize(filter: $filter, points: $points) {
    points {
      text
      citations { marker quote quoteStart quoteEnd paragraph { ${PLACE} document { id title sourceUri } } }
    }
    documents model notices { ${FAILURE} }
  }
}`;

export const INGEST_URL = `mutation ($input: IngestUrlInput!) {
  ingested: ingestUrl(input: $input) {
    __typename ... on Ingested { document { id } version unchanged } ... on Refused { ${FAILURE} }
  }
}`;

export const BULK = {
  deleteDocuments: `mutation ($filter: DocumentFilter!) { job: deleteDocuments(filter: $filter) { ${JOB_RESULT} } }`,
  enrichDocuments: `mutation ($filter: DocumentFilter!) { job: enrichDocuments(filter: $filter) { ${JOB_RESULT} } }`,
  retryDocuments: `mutation ($filter: DocumentFilter!) { job: retryDocuments(filter: $filter) { ${JOB_RESULT} } }`,
} as const;

export const GET_JOB = `query ($id: ID!) { job(id: $id) { ${JOB} } }`;

export const MODELS = `query { facetModel { id remote promptVersion concurrency readsEntities } tenant { paragraphWords } }`;

export const MODEL_PRICE = `query ($model: String!) { modelPrice(model: $model) { currency input output } }`;

export const USAGE = `query($month: String, $by: [UsageDimension!]) {
  usage(month: $month, by: $by) {
    month currency
    total { ...costs } entries { ...costs }
    budget { tokensPerMonth moneyPerMonth }
    paused { code message next }
  }
}
fragment costs on UsageEntry { task model document calls inputTokens outputTokens cachedTokens money unpriced }`;

const counted = (status: string): string =>
  `${status.toLowerCase()}: documents(first: 1, filter: { status: [${status}] }) { totalCount }`;

export const STATUS = `query {
  tenant { id name paragraphWords }
  facetModel { id remote promptVersion concurrency }
  encoder { id dimension maxTokens }
  ${['ACCEPTED', 'PARSED', 'SEARCHABLE', 'READY', 'FAILED'].map(counted).join('\n')}
  underWay: documents(first: 20, filter: { status: [ACCEPTED, PARSED, SEARCHABLE] }) {
    nodes { progress { paused { ${FAILURE} } } }
  }
}`;
