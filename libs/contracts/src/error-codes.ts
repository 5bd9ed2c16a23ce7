/**
 * Every code that leaves the API. `status` is its HTTP status at the REST edge; `meaning` and `next` make
 * docs/errors.md. A code is never renamed, only retired.
 */
export const CODES = {
  // the caller
  KEY_MISSING: {
    status: 401,
    meaning: 'The request carries no API key.',
    next: 'Send `Authorization: Bearer <key>` or `x-api-key: <key>`.',
  },
  KEY_INVALID: {
    status: 401,
    meaning: 'The API key is not known, or was revoked.',
    next: 'Check the key, or create a new one.',
  },
  SIGN_IN_LINK_SPENT: {
    status: 401,
    meaning: 'The sign-in link was used already, or is older than 10 minutes.',
    next: 'Restart the server for a new link, or send an API key.',
  },
  ORIGIN_REFUSED: {
    status: 403,
    meaning: 'A browser session was used from another origin.',
    next: 'Open the page at the address of the server.',
  },
  FORBIDDEN: {
    status: 403,
    meaning: 'The key is valid but may not do this.',
    next: 'Use a key with the scope that the message names.',
  },
  SIGNATURE_INVALID: {
    status: 401,
    meaning: 'What was sent is not signed, or the signature is not that of it, or too old.',
    next: 'Sign the time and the whole body with the secret that is configured here, and check the clock.',
  },
  TENANT_DELETED: {
    status: 410,
    meaning: 'The tenant was deleted, or is being deleted.',
    next: 'Use a key of another tenant; an id is free again 8 days after its tenant was deleted.',
  },
  IDENTITY_INVALID: {
    status: 401,
    meaning: 'A service was asked without a valid internal identity.',
    next: 'Ask the gateway, not the service.',
  },
  // requests
  INPUT_INVALID: {
    status: 400,
    meaning: 'A field of the request has a wrong form.',
    next: 'Correct the field that the message names.',
  },
  QUERY_EMPTY: { status: 400, meaning: 'The question is empty.', next: 'Send at least one letter or digit.' },
  QUERY_TOO_LONG: {
    status: 400,
    meaning: 'The question is longer than the limit.',
    next: 'Shorten it to the length that the message names.',
  },
  FILTER_INVALID: {
    status: 400,
    meaning: 'A filter names an unknown field or has a value of the wrong type.',
    next: 'Use one of the fields and types that the message names.',
  },
  NOT_FOUND: {
    status: 404,
    meaning: 'There is nothing of that id for this tenant.',
    next: 'Check the id; list documents to see what is there.',
  },
  CONFLICT: {
    status: 409,
    meaning: 'The thing exists already, or changed meanwhile.',
    next: 'Read its present state and try again.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 409,
    meaning: 'The Idempotency-Key was sent with another request within the last 24 hours.',
    next: 'Use a new key for a new request, or send the first one as it was.',
  },
  IDEMPOTENCY_IN_PROGRESS: {
    status: 409,
    meaning: 'The first request of this Idempotency-Key is still being done.',
    next: 'Send the same request again in a few seconds: it gets the answer of the first.',
  },
  TOO_LARGE: {
    status: 413,
    meaning: 'The upload is larger than the limit.',
    next: 'Split the document, or raise MAX_DOCUMENT_BYTES.',
  },
  UPLOAD_BROKEN: {
    status: 400,
    meaning: 'The upload ended before its end, or is not multipart/form-data.',
    next: 'Send the file again as multipart/form-data.',
  },
  // documents
  EMPTY_FILE: {
    status: 422,
    meaning: 'The file has no bytes.',
    next: 'Upload the file again; its source may be empty too.',
  },
  UNKNOWN_TYPE: {
    status: 422,
    meaning: 'The bytes are of no format that is read here.',
    next: 'Convert the document to PDF, DOCX, PPTX, XLSX, HTML or text.',
  },
  DOCUMENT_BROKEN: {
    status: 422,
    meaning: 'The file is damaged or cut off.',
    next: 'Open it in its own program, save it anew and upload that.',
  },
  PASSWORD_NEEDED: {
    status: 422,
    meaning: 'The file is protected by a password.',
    next: 'Remove the password and upload it again.',
  },
  NESTED_TOO_DEEP: {
    status: 422,
    meaning: 'An archive or a mail lies within more others than are opened.',
    next: 'Take the file out of the archives or mails around it and upload it by itself.',
  },
  ARCHIVE_TOO_LARGE: {
    status: 422,
    meaning: 'An archive or a mail holds more files, or more bytes once unpacked, than is allowed.',
    next: 'Divide it, or upload the files by themselves.',
  },
  NO_TEXT: {
    status: 422,
    meaning: "No text was found in the document; it may be a photograph, or a scan that can't be read.",
    next: 'Check that the right file was uploaded; scan it anew, upright and with 300 dots per inch.',
  },
  IMAGE_TOO_LARGE: {
    status: 422,
    meaning: 'A picture has more dots than are read.',
    next: 'Scale it down: 300 dots per inch are enough to read a page.',
  },
  DOCUMENT_TOO_LONG: {
    status: 422,
    meaning: 'The document has more pages than are read of one document.',
    next: 'Split the document and upload its parts.',
  },
  PARAGRAPH_TOO_LONG: {
    status: 422,
    meaning: 'A paragraph is longer than the tenant allows, and the tenant wants that refused.',
    next: 'Shorten the paragraph, or let long paragraphs be split.',
  },
  PARSE_TIMEOUT: {
    status: 422,
    meaning: 'Reading the document took longer than allowed.',
    next: 'Split the document, or raise PARSE_TIMEOUT_MS.',
  },
  PARSE_MEMORY: {
    status: 422,
    meaning: 'Reading the document needed more memory than allowed.',
    next: 'Split the document, or raise PARSE_MEMORY_MB.',
  },
  FOLDER_REFUSED: {
    status: 422,
    meaning: 'The folder is not among those that the operator lets be read here, or is no folder.',
    next: 'Give a folder below one of FOLDER_ROOTS, or have the operator add it there.',
  },
  FOLDER_UNREADABLE: {
    status: 503,
    meaning: 'A folder is not there, or can not be read, on the machine that looked.',
    next: 'Bring it back. Where several replicas of ingestion run, each needs it at the same path.',
  },
  SOURCE_GONE: { status: 410, meaning: "A document's file is gone.", next: 'Put it back, or delete the document.' },
  SOURCE_CHANGED: {
    status: 409,
    meaning: 'The file that a document stands in has changed since it was read.',
    next: 'Wait a moment: it is read again by itself, or after `postmaster folders scan`.',
  },
  URL_REFUSED: {
    status: 422,
    meaning: 'The address is not a public http(s) address.',
    next: 'Give a public address, or upload the file.',
  },
  URL_UNREACHABLE: {
    status: 422,
    meaning: 'The address did not answer, or answered with an error.',
    next: 'Open the address in a browser; try again later.',
  },
  // models
  MODEL_UNREACHABLE: {
    status: 503,
    meaning: 'The language model does not answer.',
    next: 'Check LLM_URL and that the model service runs; work goes on by itself when it is back.',
  },
  MODEL_REFUSED: {
    status: 502,
    meaning: 'The language model refuses the call (key, model name or request).',
    next: 'Check LLM_API_KEY and LLM_MODEL.',
  },
  BUDGET_USED: {
    status: 402,
    meaning: "The tenant's budget for language models is used up for this month.",
    next: 'Raise the budget (updateTenant), or wait for the next month: work goes on by itself.',
  },
  MODEL_MALFORMED: {
    status: 502,
    meaning: 'The language model keeps answering in another form than was asked for.',
    next: 'Use a model that can give structured output, then retry the document.',
  },
  MODEL_DECLINED: {
    status: 502,
    meaning: 'The language model declines to write about this text.',
    next: 'The text is found as it is. Configure a fallback or another model, then retry the document.',
  },
  MODEL_TEXT_TOO_LONG: {
    status: 502,
    meaning: "The language model's window does not hold the text, though what stands around it was left out.",
    next: 'The text is found as it is. Set LLM_WINDOW_TOKENS if the model takes more, or use one that does, then retry the document.',
  },
  FACETS_REJECTED: {
    status: 502,
    meaning: 'Nothing that the language model wrote of a paragraph stood the checks, asked twice.',
    next: 'The paragraph is found by its text. See `rejectedFacets` for the reasons; use a better model, then retry the document.',
  },
  ENCODER_UNREACHABLE: {
    status: 503,
    meaning: 'The encoder does not answer.',
    next: 'Check ENCODER_URL and that the service runs; work goes on by itself when it is back.',
  },
  ENCODER_REFUSED: {
    status: 502,
    meaning: 'The encoder refuses the call.',
    next: 'Check ENCODER_API_KEY and ENCODER_MODEL.',
  },
  RERANKER_LATE: {
    status: 504,
    meaning: 'The reranker did not answer within its time; the fused order stands.',
    next: 'Raise RERANKER_TIMEOUT_MS or JUDGE_TIMEOUT_MS, or use a faster reranker.',
  },
  RERANKER_UNREACHABLE: {
    status: 503,
    meaning: 'The reranker does not answer; the fused order stands.',
    next: 'Check RERANKER_URL and that the service runs; it is asked again by itself.',
  },
  RERANKER_REFUSED: {
    status: 502,
    meaning: 'The reranker refuses the call; the fused order stands.',
    next: 'Check RERANKER_PROVIDER, RERANKER_MODEL and RERANKER_API_KEY.',
  },
  RERANKER_MALFORMED: {
    status: 502,
    meaning: 'The reranker answers nonsense; the fused order stands.',
    next: 'Check that RERANKER_PROVIDER fits the service, and that RERANKER_MODEL is a reranker.',
  },
  RERANKER_NOT_SET: {
    status: 409,
    meaning: 'A reranker was asked for that is not configured; the fused order stands.',
    next: 'Set RERANKER_PROVIDER for a cross-encoder or LLM_PROVIDER for the judge, or ask for NONE.',
  },
  DIMENSION_MISMATCH: {
    status: 409,
    meaning: 'The encoder gives vectors of another dimension than the index holds.',
    next: 'Run `postmaster rebuild`, or restore the encoder.',
  },
  STORE_UNREACHABLE: {
    status: 503,
    meaning: 'The vector store does not answer.',
    next: 'Check QDRANT_URL and that Qdrant runs; work goes on by itself when it is back.',
  },
  STORE_REFUSED: {
    status: 502,
    meaning: 'The vector store refuses the call (key, address or version).',
    next: 'Check QDRANT_API_KEY and QDRANT_URL.',
  },
  ENCODER_MISMATCH: {
    status: 409,
    meaning: "The request names another encoder than the tenant's index was filled with.",
    next: 'Leave the encoder out, name the one that is expected, or use a tenant whose index is of that encoder.',
  },
  PROFILE_MISMATCH: {
    status: 409,
    meaning: 'The request names another vector store or language model than the tenant uses.',
    next: 'Leave the field that the message names out, or change the profile of the tenant (setModelProfile).',
  },
  PROFILE_REFUSED: {
    status: 422,
    meaning:
      'A model or vector store of the profile can not be used: it did not answer as it should, or is not supported.',
    next: 'Correct the part that the message names, or leave it out to use the one of the server.',
  },
  PROMPT_REFUSED: {
    status: 422,
    meaning:
      "A prompt of the tenant's own can not be used: it lacks a placeholder, has an unknown one, or the language model did not answer as it should when it was tried with it.",
    next: 'Correct what the message names and set it again; nothing has changed, the prompt before it counts.',
  },
  CITATION_REMOVED: {
    status: 200,
    meaning: 'The model cited a source that does not support its sentence; the citation was taken out.',
    next: 'Check that sentence against the sources before you rely on it.',
  },
  SENTENCE_REMOVED: {
    status: 200,
    meaning: 'The model wrote what a source says only where it tells a model what to do; the sentence was left out.',
    next: 'Look at the source: somebody put instructions to language models into it.',
  },
  SUMMARY_PARTIAL: {
    status: 200,
    meaning: 'A summary was asked for of more paragraphs than are read for one.',
    next: 'Narrow the filter, or name fewer documents.',
  },
  // plans
  FILTER_RELAXED: {
    status: 200,
    meaning: 'A condition of the query plan let nothing through together with the others, and was dropped.',
    next: 'Send the plan back without it, or with other values; `planning: NONE` searches by the words alone.',
  },
  MODEL_NEEDED: {
    status: 200,
    meaning: 'What was asked for takes a language model, and none is configured.',
    next: 'Set LLM_PROVIDER and LLM_MODEL, or leave the option out.',
  },
  // the system
  PORT_TAKEN: {
    status: 500,
    meaning: 'The port is in use.',
    next: 'Set PORT to a free one, or end the program that uses it.',
  },
  DATA_IN_USE: {
    status: 500,
    meaning: 'Another process runs on this data folder.',
    next: 'Use the running server, or set POSTMASTER_DATA to another folder.',
  },
  DATA_NEWER: {
    status: 500,
    meaning: 'The data folder was written by a newer version.',
    next: 'Install that version or a newer one, or use another data folder.',
  },
  DATABASE_NOT_MIGRATED: {
    status: 500,
    meaning: 'The database lacks migrations that this version needs.',
    next: 'Run the migrations (node apps/migrate/dist/main.js) with the login that owns the schemas, then start again.',
  },
  DATABASE_ROLE: {
    status: 500,
    meaning: 'The login at Postgres has too many rights, or too few.',
    next: 'Use a login without superuser, BYPASSRLS and CREATEROLE that the migrations were told of (MIGRATE_GRANT_TO).',
  },
  CONFIG_INVALID: {
    status: 500,
    meaning: 'Configuration is wrong.',
    next: 'Correct each variable that the message names.',
  },
  BUS_REFUSED: {
    status: 500,
    meaning: 'NATS refuses the credentials.',
    next: 'Correct NATS_URL or the credentials of this service, then start it again.',
  },
  EVENT_MALFORMED: {
    status: 422,
    meaning: 'A message on the bus is not an event of ours.',
    next: 'Find out who publishes on the subject that the message names.',
  },
  EVENT_UNKNOWN: {
    status: 422,
    meaning: 'An event on the bus is of a type or version that this service does not know.',
    next: 'Bring the service to the version of the one that sent it.',
  },
  EVENT_TOO_LARGE: {
    status: 413,
    meaning: 'An event is larger than the bus may carry.',
    next: 'Raise max_payload of NATS, or send what it holds by reference.',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    meaning: 'A service that this answer needs does not answer.',
    next: 'Try again shortly; the rest of the answer is complete.',
  },
  TIMED_OUT: { status: 504, meaning: 'The answer took longer than allowed.', next: 'Try again, or ask for less.' },
  INTERNAL: {
    status: 500,
    meaning: 'Something unexpected went wrong; it is in the log under the request id.',
    next: 'Try again; report the request id if it stays.',
  },
} as const satisfies Record<string, { status: number; meaning: string; next: string }>;

export type ErrorCode = keyof typeof CODES;
