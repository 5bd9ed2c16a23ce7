import {
  type AnswerEvent,
  type Citation,
  CodedError,
  type ErrorCode,
  failureOf,
  type Notice,
  type QueryPlan,
  type SearchHit,
  type TenantId,
} from '@postmaster/contracts';
import type { AnswerModel } from './answer-model.js';
import { nothingFound } from './answer-texts.js';
import type { CandidateStore } from './candidate-store.js';
import { extractAnswer, type NumberedHit } from './extract-answer.js';
import type { FillTexts } from './fill-texts.js';
import { joinNeighbours, type Numbered, type Passage, passagesOf } from './join-neighbours.js';
import { type ModelLedger, onBudget } from './ledger/model-ledger.js';
import { weighedWords } from './question-words.js';
import { FOUND } from './relevance-calibration.js';
import type { ReadParents } from './read-parents.js';
import type { SearchRequest, SearchResult } from './search.js';
import { codePointsBefore, type Sentence } from './sentences.js';
import { writeChecked } from './write-checked.js';

export interface AnswerPorts {
  search: (tenant: TenantId, token: string, request: SearchRequest, signal?: AbortSignal) => Promise<SearchResult>;
  /** Larger passages for a model to read in the place of the hits that are parts of them. */
  readParents?: ReadParents;
  fillTexts?: FillTexts;
  languageOf: (text: string) => string | null;
  /** Without one, the answer is made of the sources' best sentences. */
  model?: AnswerModel;
  /** What stands around the sources is read here, for the model. */
  store: Pick<CandidateStore, 'read'>;
  /** What the tenant has in place of it; none unless told. Throws SERVICE_UNAVAILABLE. */
  ownModel?: (tenant: TenantId) => Promise<AnswerModel | undefined>;
  /** Whose budget is used up gets the best sentences; nobody's, unless told. */
  ledger?: ModelLedger;
  /** Where a failure of the model that no code foresees is to be seen: the answer goes on without the model. */
  onFault?: (error: unknown) => void;
}

/** A model is given so many sources at most, however many hits are asked for. */
const MOST_SOURCES = 20;
/** Beside a hit that is found for sure, others are worth reading from this share of the threshold on. */
const WORTH_READING = 0.5;

export const EXTRACTIVE = 'extractive';

/**
 * Answers a question as a stream: its hits, then text in whole sentences whose citations were checked, each citation
 * before the first text that carries it, and how it ended. What search refuses becomes `refused`.
 * `found` is false where no hit is relevant enough, or the model says that none of them answers.
 */
export const answerStream = (ports: AnswerPorts) =>
  async function* (
    tenant: TenantId,
    token: string,
    request: SearchRequest,
    signal?: AbortSignal,
  ): AsyncGenerator<AnswerEvent, void, undefined> {
    let result: SearchResult;
    try {
      result = await ports.search(tenant, token, ofParagraphs(request), signal);
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      yield { type: 'refused', ...error.toFailure() };
      return;
    }
    const { hits, plan } = result;
    yield { type: 'hits', hits, plan, notices: result.notices };
    const language = plan.language ?? hits[0]?.paragraph.language ?? null;
    const sources = sourcesOf(hits);
    if (sources.length === 0) yield* notFound(language, EXTRACTIVE, result.notices);
    else {
      const { model, why } = await modelFor(ports, tenant);
      if (model) {
        const { passages, notices } = await readAround(ports, tenant, token, plan.index, sources);
        const said = [...result.notices, ...notices];
        return yield* written(
          ports,
          paid(model, ports.ledger, tenant),
          plan.query,
          language,
          sources,
          passages,
          said,
          signal,
        );
      }
      yield* bestSentences(plan.query, language, sources, why ? [...result.notices, why] : result.notices);
    }
  };

/** An answer cites what documents say, and not what a summary says of them. Options of another shape are refused as they are. */
const ofParagraphs = (request: SearchRequest): SearchRequest => {
  const { options } = request;
  const given = options === undefined || options === null ? {} : options;
  return typeof given === 'object' ? { ...request, options: { ...given, summaries: false } } : request;
};

/** Never the server's model where it is not known whether the tenant has one of its own. */
export const modelFor = async (
  { model, ownModel }: Pick<AnswerPorts, 'model' | 'ownModel'>,
  tenant: TenantId,
): Promise<{ model?: AnswerModel; why?: Notice }> => {
  try {
    return { model: (await ownModel?.(tenant)) ?? model };
  } catch (error) {
    return { why: standIn(error) };
  }
};

/** The model, asked only while the tenant's budget lasts; what it takes goes to its ledger. */
const paid = (model: AnswerModel, ledger: ModelLedger | undefined, tenant: TenantId): AnswerModel => ({
  id: model.id,
  promptVersion: model.promptVersion,
  write: async function* (question, sources, language, signal, onWriter) {
    yield* await onBudget(ledger, tenant, 'answers', async (onPaid) =>
      model.write(question, sources, language, signal, onWriter, onPaid),
    );
  },
});

const sourcesOf = (hits: readonly SearchHit[]): NumberedHit[] =>
  hits.some(({ relevance }) => relevance >= FOUND)
    ? hits
        .filter(({ relevance }) => relevance >= FOUND * WORTH_READING)
        .slice(0, MOST_SOURCES)
        .map((hit, i) => ({ marker: i + 1, hit }))
    : [];

/** The sources as a model reads them. An answer does without what stands around them where the store doesn't give it, and says so. */
const readAround = async (
  { store, readParents, fillTexts, onFault }: AnswerPorts,
  tenant: TenantId,
  token: string,
  index: string,
  sources: readonly NumberedHit[],
): Promise<{ passages: Passage[]; notices: Notice[] }> => {
  const found = sources.map(({ marker, hit: { paragraph } }): Numbered => ({ marker, paragraph }));
  const numbered = (await readParents?.(token, found)) ?? found;
  try {
    const read: typeof store.read = async (...asked) => {
      const near = await store.read(...asked);
      return (await fillTexts?.(token, near))?.filled.filter(({ payload }) => payload.text !== '') ?? near;
    };
    return { passages: await joinNeighbours({ read }, tenant, index, numbered), notices: [] };
  } catch (error) {
    if (!(error instanceof CodedError)) onFault?.(error);
    const { code, message, next } = failureOf(error);
    const notice = { code, message: `${message} The answer was written without what stands around its sources.`, next };
    return { passages: passagesOf(numbered), notices: [notice] };
  }
};

function* notFound(language: string | null, model: string, notices: Notice[]): Generator<AnswerEvent> {
  yield { type: 'text', delta: nothingFound(language) };
  yield { type: 'done', found: false, model, notices };
}

/** Sources that do nothing but tell a model what to do have none. */
function* bestSentences(
  query: string,
  language: string | null,
  sources: readonly NumberedHit[],
  notices: Notice[],
): Generator<AnswerEvent> {
  let some = false;
  for (const event of extracted(query, sources)) {
    some = true;
    yield event;
  }
  if (some) yield { type: 'done', found: true, model: EXTRACTIVE, notices };
  else yield* notFound(language, EXTRACTIVE, notices);
}

function* extracted(query: string, sources: readonly NumberedHit[]): Generator<AnswerEvent> {
  const cited = new Set<number>();
  let gap = '';
  for (const { marker, text, quote } of extractAnswer(sources, weighedWords(query))) {
    if (!cited.has(marker))
      yield {
        type: 'citation',
        citation: citationOf({ marker, paragraph: sources[marker - 1]!.hit.paragraph }, quote),
      };
    cited.add(marker);
    yield { type: 'text', delta: `${gap}${text} [${marker}]` };
    gap = /[.!?…]$/.test(text) ? ' ' : '\n'; // a list item or table row stands on a line of its own
  }
}

async function* written(
  ports: AnswerPorts,
  model: AnswerModel,
  query: string,
  language: string | null,
  sources: readonly NumberedHit[],
  passages: readonly Passage[],
  notices: readonly Notice[],
  signal: AbortSignal | undefined,
): AsyncGenerator<AnswerEvent> {
  const cited = new Set<number>();
  const numbered = new Map(passages.flat().map((one) => [one.marker, one]));
  const said: Notice[] = [...notices];
  let wrote = false;
  let writer = model.id;
  const onWriter = (id: string) => void (writer = id);
  try {
    for await (const part of writeChecked(model, query, language, passages, ports.languageOf, signal, onWriter)) {
      if (part === 'not found') {
        yield* notFound(language, writer, said);
        return;
      }
      if (part.removed) said.push(part.removed);
      for (const { marker, quote } of part.kept) {
        if (!cited.has(marker)) yield { type: 'citation', citation: citationOf(numbered.get(marker)!, quote) };
        cited.add(marker);
      }
      wrote ||= part.text.trim() !== '';
      if (part.text !== '') yield { type: 'text', delta: part.text };
    }
    if (!wrote) throw new CodedError('MODEL_MALFORMED', `"${writer}" wrote nothing.`);
    yield { type: 'done', found: true, model: writer, notices: said };
  } catch (error) {
    if (signal?.aborted) return;
    if (!(error instanceof CodedError)) ports.onFault?.(error);
    said.push(standIn(error));
    if (wrote) yield { type: 'text', delta: '\n\n' };
    for (const event of bestSentences(query, language, sources, said))
      if (event.type !== 'citation' || !cited.has(event.citation.marker)) yield event;
  }
}

const standIn = (error: unknown): Notice => {
  const { code, message, next } = failureOf(error);
  return { code, message: `${message} The best sentences of the documents stand in for its answer.`, next };
};

/** The quote is of the source as it was read; it has a place only where it lies within the paragraph that was found. */
export const citationOf = ({ marker, paragraph, read }: Numbered, quote: Sentence | null): Citation => {
  if (quote === null) return { marker, paragraph, quote: null, quoteStart: null, quoteEnd: null };
  const whole = read ?? paragraph;
  const quoteStart = whole.start - paragraph.start + codePointsBefore(whole.text, quote.start);
  const quoteEnd = quoteStart + [...quote.text].length;
  const isWithin = quoteStart >= 0 && quoteEnd <= [...paragraph.text].length;
  return { marker, paragraph, quote: quote.text, ...(isWithin ? { quoteStart, quoteEnd } : NOWHERE) };
};

const NOWHERE = { quoteStart: null, quoteEnd: null };

/** A whole answer: what its stream tells, folded. */
export interface WholeAnswer {
  text: string;
  found: boolean;
  citations: Citation[];
  hits: SearchHit[];
  /** How the question was searched for. */
  plan: QueryPlan | null;
  model: string;
  notices: Notice[];
  cached: boolean;
}

/** The fold of an answer's stream. Throws what it refuses with. */
export const foldAnswer = async (events: AsyncIterable<AnswerEvent>): Promise<WholeAnswer> => {
  const answer: WholeAnswer = {
    ...{ text: '', found: false, citations: [], hits: [], plan: null },
    ...{ model: EXTRACTIVE, notices: [], cached: false },
  };
  for await (const event of events) {
    if (event.type === 'hits') Object.assign(answer, { hits: event.hits, plan: event.plan ?? null });
    else if (event.type === 'text') answer.text += event.delta;
    else if (event.type === 'citation') answer.citations.push(event.citation);
    else if (event.type === 'done') {
      const { found, model, notices, cached = false } = event;
      Object.assign(answer, { found, model, notices, cached });
    }
    // A refused event's code is one of CODES: it was a CodedError's.
    else throw new CodedError(event.code as ErrorCode, event.message, { next: event.next });
  }
  return answer;
};
