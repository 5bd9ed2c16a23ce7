import { FOLDER_OPERATIONS } from './folder-operations.js';
import { CITATION, HIT, NOTICES } from './operation-parts.js';
import { QUALITY_OPERATIONS } from './quality-operations.js';

/** The GraphQL operations that the REST addresses stand for. */
const DOCUMENT = `
  id version title sourceType sourceId sourceUri collection contentType language createdAt addedAt metadata status
  failure { code message next } degraded { code message next } goneAt
  progress { total indexed enriched failed ready paused { code message next } secondsLeft }`;

const PLAN = `planning
  reading {
    kind searchText keywords entities { text role } dates { words from to }
    conditions { field key equals oneOf allOf from to certainty words }
    favour { paragraph simpleQuestions complexQuestions context scope lexical } variations { kind text }
  }
  cost { modelCalls inputTokens outputTokens texts tookMs }`;

const JOB = `__typename
  ... on Job { id kind status total done failed failures { document failure { code message next } } startedAt finishedAt }
  ... on Refused { code message next field }`;

export const INGEST_URL = `mutation ($input: IngestUrlInput!) {
  ingested: ingestUrl(input: $input) {
    __typename
    ... on Ingested { document { id } version unchanged }
    ... on Refused { code message next field }
  }
}`;

export const GET_DOCUMENT = `query ($id: ID!) { document(id: $id) { ${DOCUMENT} } }`;

export const LIST_DOCUMENTS = `query ($first: Int, $after: String, $filter: DocumentFilter, $orderBy: DocumentOrder) {
  documents(first: $first, after: $after, filter: $filter, orderBy: $orderBy) {
    nodes { ${DOCUMENT} } totalCount pageInfo { hasNextPage endCursor }
  }
}`;

export const DELETE_DOCUMENT = `mutation ($id: ID!) { job: deleteDocuments(filter: { ids: [$id] }) { ${JOB} } }`;

export const RETRY_DOCUMENT = `mutation ($id: ID!) { job: retryDocuments(filter: { ids: [$id] }) { ${JOB} } }`;

export const GET_JOB = `query ($id: ID!) {
  job(id: $id) { id kind status total done failed failures { document failure { code message next } } startedAt finishedAt }
}`;

const LEFT = `services {
  service places { place left kept { count why until } } failure { code message next }
}`;

export const GET_RECEIPT = `query ($id: ID!) {
  receipt: deletionReceipt(id: $id) { id documents deletedAt checkedAt complete ${LEFT} }
}`;

export const DELETE_TENANT = `mutation ($id: ID!) {
  deletion: deleteTenant(id: $id) {
    __typename
    ... on TenantDeletion { tenant deletedAt checkedAt complete ${LEFT} }
    ... on Refused { code message next field }
  }
}`;

export const GET_TENANT_DELETION = `query ($id: ID!) {
  deletion: tenantDeletion(id: $id) { tenant deletedAt checkedAt complete ${LEFT} }
}`;

export const DELETE_DOCUMENTS = `mutation ($filter: DocumentFilter!) { job: deleteDocuments(filter: $filter) { ${JOB} } }`;

export const FOLLOW_DOCUMENT = `subscription ($id: ID!) { document(id: $id) { ${DOCUMENT} } }`;

export const SEARCH = `query ($query: String!, $first: Int, $filter: SearchFilter, $options: SearchOptions) {
  search(query: $query, first: $first, filter: $filter, options: $options) {
    hits { ${HIT} } groups { document title hits { paragraph { id } } }
    plan { query language cached ${PLAN} } ${NOTICES} tookMs
  }
}`;

export const ASK = `query ($query: String!, $first: Int, $filter: SearchFilter, $options: SearchOptions) {
  ask(query: $query, first: $first, filter: $filter, options: $options) {
    text found citations { ${CITATION} } hits { ${HIT} } plan { query language ${PLAN} } model cached ${NOTICES}
  }
}`;

export const ASK_STREAM = `subscription ($query: String!, $first: Int, $filter: SearchFilter, $options: SearchOptions) {
  answer(query: $query, first: $first, filter: $filter, options: $options) {
    __typename
    ... on Hits { hits { ${HIT} } plan { query language ${PLAN} } ${NOTICES} }
    ... on TextDelta { text }
    ... on CitationFound { citation { ${CITATION} } }
    ... on Done { found model cached ${NOTICES} }
    ... on Refused { code message next field }
  }
}`;

export const GIVE_FEEDBACK = `mutation ($input: FeedbackInput!) {
  giveFeedback(input: $input) {
    __typename
    ... on Feedback { id query verdict note givenAt }
    ... on Refused { code message next field }
  }
}`;

export const INIT = `mutation ($input: CreateTenantInput!) {
  made: createTenant(input: $input) {
    __typename
    ... on NewTenant {
      tenant { id name createdAt }
      key { secret key { id name scopes createdAt } }
      profile { version vectorDb { type url apiKey } encodingModel { model url apiKey } llmModel { model url apiKey fallbacks { model url apiKey } } checks { part ok says } }
    }
    ... on Refused { code message next field }
  }
}`;

/** All of them: a schema that lacks what one asks for can not be served. */
export const FACADE_OPERATIONS: readonly string[] = [
  INIT,
  INGEST_URL,
  GET_DOCUMENT,
  LIST_DOCUMENTS,
  DELETE_DOCUMENT,
  RETRY_DOCUMENT,
  GET_JOB,
  GET_RECEIPT,
  DELETE_DOCUMENTS,
  DELETE_TENANT,
  GET_TENANT_DELETION,
  FOLLOW_DOCUMENT,
  SEARCH,
  ASK,
  ASK_STREAM,
  ...QUALITY_OPERATIONS,
  GIVE_FEEDBACK,
  ...FOLDER_OPERATIONS,
];
