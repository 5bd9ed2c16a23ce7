import {
  type Citation,
  CodedError,
  failure,
  failureOf,
  type Notice,
  type Requests,
  servingIndex,
  type Summary,
  type SummaryPoint,
  type TenantId,
  withoutLinks,
} from '@postmaster/contracts';
import { citationOf, EXTRACTIVE } from './answer.js';
import type { CandidateStore, ParagraphChoice } from './candidate-store.js';
import { checkFilter } from './check-request.js';
import { hitParagraph } from './explain-hit.js';
import { fillTexts } from './fill-texts.js';
import { foldRepeats } from './fold-repeats.js';
import { type Numbered, passagesOf } from './join-neighbours.js';
import { keepLiving } from './keep-living.js';
import { type ModelLedger, onBudget, type OnPaid } from './ledger/model-ledger.js';
import { rankSentences, type RankedSentence, spreadOverDocuments } from './rank-sentences.js';
import { readable } from './readable-sentence.js';
import type { SummaryModel } from './summary-model.js';
import { type CheckedPart, checkWritten } from './write-checked.js';

export interface SummaryPorts {
  requests: Requests;
  store: Pick<CandidateStore, 'read'>;
  languageOf: (text: string) => string | null;
  /** Without one, points are the documents' own best sentences. */
  summarizer?: SummaryModel;
  /** Whose budget is used up gets those too; nobody's, unless told. */
  ledger?: ModelLedger;
  /** Where a failure of the model that no code foresees is to be seen. */
  onFault?: (error: unknown) => void;
}

export interface SummaryRequest {
  /** A SearchFilter, checked here; all of the tenant's documents where absent. */
  filter?: unknown;
  /** 1…20; 5 where absent. */
  points?: number | null;
}

const [POINTS, MOST_POINTS] = [5, 20];
/** So many paragraphs are read; of documents that are named, the same number of each one's first. */
const MOST_READ = 400;
/** A model is given so many paragraphs. */
const MOST_GIVEN = 24;

/**
 * What a set of documents says, in points that cite their paragraphs; the model's, each checked as an answer's sentence
 * is, or the documents' most central sentences, spread over the documents. No documents, no points. Throws
 * FILTER_INVALID, INPUT_INVALID; a model that fails is a notice.
 */
export const summarize =
  (ports: SummaryPorts) =>
  async (tenant: TenantId, token: string, request: SummaryRequest, signal?: AbortSignal): Promise<Summary> => {
    const points = checkPoints(request.points ?? POINTS);
    const choice = choiceOf(checkFilter(request.filter));
    const { index } = await ports.requests.ask(servingIndex, token, {});
    const stored = await ports.store.read(tenant, index, choice, MOST_READ);
    const { filled, notices: unread } = await fillTexts(ports.requests)(token, stored);
    const read = filled.map(hitParagraph).filter(({ text }) => text !== '');
    const distinct = foldRepeats(read, ({ text }) => text).map(([first]) => first);
    const likely = spreadOverDocuments(rankSentences(distinct), 2 * Math.max(points, MOST_GIVEN));
    const { kept, notices } = await keepLiving(
      ports.requests,
      token,
      likely.map((one) => [{ candidate: one.paragraph, one }]),
    );
    const sentences = kept.map(([{ one }]) => one);
    const documents = new Set(read.map(({ document }) => document)).size;
    const said: Notice[] = [...unread, ...notices, ...(stored.length < MOST_READ ? [] : [NOT_ALL])];
    const { summarizer, ledger } = ports;
    if (summarizer && sentences.length > 0)
      try {
        const written = await onBudget(ledger, tenant, 'set-summaries', (onPaid) =>
          writtenPoints(ports, summarizer, points, sentences, signal, onPaid),
        );
        return { ...written, documents, model: summarizer.id, notices: [...said, ...written.notices] };
      } catch (error) {
        if (signal?.aborted) throw error;
        if (!(error instanceof CodedError)) ports.onFault?.(error);
        const { code, message, next } = failureOf(error);
        said.push({ code, message: `${message} The best sentences of the documents stand in for its points.`, next });
      }
    return { points: extractedPoints(sentences.slice(0, points)), documents, model: EXTRACTIVE, notices: said };
  };

const NOT_ALL = failure('SUMMARY_PARTIAL', `The summary is made of the first ${MOST_READ} paragraphs that were read.`);

const choiceOf = (filter: ParagraphChoice['filter']): ParagraphChoice => {
  const documents = filter?.documents ?? [];
  const each = Math.floor(MOST_READ / documents.length);
  return documents.length === 0 || each === 0
    ? { filter }
    : { filter, spans: documents.map((document) => ({ document, from: 0, to: each - 1 })) };
};

const checkPoints = (points: number): number => {
  if (Number.isInteger(points) && points >= 1 && points <= MOST_POINTS) return points;
  throw new CodedError('INPUT_INVALID', `"points" must be a whole number of 1 to ${MOST_POINTS}, but is ${points}.`, {
    field: 'points',
  });
};

/** Paragraphs get their numbers in the order in which they are first needed. */
const numbered = (sentences: readonly RankedSentence[]): Numbered[] =>
  [...new Map(sentences.map(({ paragraph }) => [paragraph.id, paragraph])).values()].map((paragraph, i) => ({
    marker: i + 1,
    paragraph,
  }));

const extractedPoints = (sentences: readonly RankedSentence[]): SummaryPoint[] => {
  const markers = new Map(numbered(sentences).map(({ marker, paragraph }) => [paragraph.id, marker]));
  return sentences.map(({ paragraph, sentence }) => {
    const marker = markers.get(paragraph.id)!;
    return {
      text: `${withoutLinks(readable(sentence, paragraph.text))} [${marker}]`,
      citations: [citationOf({ marker, paragraph }, sentence)],
    };
  });
};

const writtenPoints = async (
  { languageOf }: SummaryPorts,
  model: SummaryModel,
  points: number,
  sentences: readonly RankedSentence[],
  signal: AbortSignal | undefined,
  onPaid: OnPaid,
): Promise<Pick<Summary, 'points' | 'notices'>> => {
  const sources = numbered(sentences).slice(0, MOST_GIVEN);
  const language = mostFrequent(sources.map(({ paragraph: { text, language } }) => language ?? languageOf(text)));
  const passages = passagesOf(sources);
  const named = new Map(sources.map((source) => [source.marker, source]));
  const pieces = (given: Parameters<SummaryModel['summarize']>[1]) =>
    model.summarize(points, given, language ?? 'en', signal, onPaid);
  const notices: Notice[] = [];
  const lines: CheckedPart[][] = [[]];
  for await (const part of checkWritten(pieces, '', language, passages, languageOf)) {
    if (part === 'not found') break;
    if (part.removed) notices.push(part.removed);
    lines.at(-1)!.push(part);
    if (part.text.includes('\n')) lines.push([]);
  }
  const kept = lines.flatMap((parts): SummaryPoint[] => {
    const text = parts
      .map((part) => part.text)
      .join('')
      .replace(LIST_MARK, '')
      .trim();
    const citations = new Map<number, Citation>();
    for (const { marker, quote } of parts.flatMap((part) => part.kept))
      if (!citations.has(marker)) citations.set(marker, citationOf(named.get(marker)!, quote));
    return citations.size > 0 ? [{ text, citations: [...citations.values()] }] : [];
  });
  if (kept.length === 0)
    throw new CodedError('MODEL_MALFORMED', `"${model.id}" wrote no point that its sources bear out.`);
  return { points: kept.slice(0, points), notices };
};

const LIST_MARK = /^\s*(?:[-*•]|\d{1,3}[.)])\s+/;

const mostFrequent = (languages: readonly (string | null)[]): string | null => {
  const counts = new Map<string | null, number>();
  for (const language of languages) counts.set(language, (counts.get(language) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? null;
};
