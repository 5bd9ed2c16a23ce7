import {
  type FeedbackForm,
  type FeedbackLine,
  hashOf,
  LEGS,
  type Requests,
  type TenantId,
} from '@postmaster/contracts';
import type { Database } from '@postmaster/durable';
import type { EncodeQuestion } from '../cache/question-vectors.js';
import type { Candidate, CandidateStore, Probe } from '../candidate-store.js';
import type { Fold } from '../fold-repeats.js';
import { PER_LEG } from '../gather-candidates.js';
import { keepLiving } from '../keep-living.js';
import { readFeedback } from '../rows/feedback.js';
import type { RetrievalTables } from '../rows/tables.js';
import { type JudgedQuestion, judgedQuestions } from './judged-question.js';

export interface ExportFeedbackPorts {
  db: Database<RetrievalTables>;
  store: CandidateStore;
  encode: EncodeQuestion;
  requests: Requests;
}

/** So many questions are a page: asked with a token that lives for a minute. */
const QUESTIONS_A_PAGE = 100;
/** As many ids as the owner of paragraphs is asked about at once. */
const IDS_AT_ONCE = 200;

/**
 * A page of judged questions. As a set: each question that has a right paragraph, and beside the judged paragraphs all
 * candidates of its search, so that the set is as hard as the tenant's documents are. As pairs: each right paragraph
 * with those that were judged wrong for the same question. Paragraphs that are gone are left out.
 */
export const exportFeedback = (ports: ExportFeedbackPorts) =>
  async function* (
    tenant: TenantId,
    token: string,
    { as, after = '' }: { as: FeedbackForm; after?: string },
  ): AsyncGenerator<FeedbackLine, void, undefined> {
    const rows = await ports.db.asTenant(tenant, (tx) => readFeedback(tx, after, QUESTIONS_A_PAGE));
    const questions = judgedQuestions(rows);
    const told = new Set<string>();
    for (const question of questions) {
      const found = await candidatesOf(ports, tenant, token, question, as === 'set');
      if (![...question.judged].some(([id, verdict]) => verdict === 'right' && found.has(id))) continue;
      yield* as === 'set' ? setLines(question, found, told) : pairLines(question, found);
    }
    const last = questions.at(-1);
    if (last && questions.length === QUESTIONS_A_PAGE) yield { kind: 'more', after: last.query };
  };

const candidatesOf = async (
  { store, encode, requests }: ExportFeedbackPorts,
  tenant: TenantId,
  token: string,
  { query, judged }: JudgedQuestion,
  rivals: boolean,
): Promise<Map<string, Candidate>> => {
  const { vector, index } = await encode(tenant, token, { searchText: query, variations: [] });
  const probe: Probe = { vector, text: query, legs: LEGS };
  const lists = rivals ? Object.values(await store.candidates(tenant, index, probe, PER_LEG)) : [];
  const ids = [...new Set([...judged.keys(), ...lists.flatMap((list) => list.map(({ id }) => id))])];
  const found = (await store.complete(tenant, index, probe, ids)).map((candidate): Fold<{ candidate: Candidate }> => [
    { candidate },
  ]);
  const living = new Map<string, Candidate>();
  for (let i = 0; i < found.length; i += IDS_AT_ONCE) {
    const { kept } = await keepLiving(requests, token, found.slice(i, i + IDS_AT_ONCE));
    for (const [{ candidate }] of kept) living.set(candidate.id, candidate);
  }
  return living;
};

function* setLines(
  { query, judged }: JudgedQuestion,
  found: ReadonlyMap<string, Candidate>,
  told: Set<string>,
): Generator<FeedbackLine> {
  for (const [id, { payload }] of found) {
    if (told.has(id)) continue;
    told.add(id);
    const { document, title, position, text, simpleQuestions, complexQuestions, context, scope } = payload;
    yield { kind: 'paragraph', id, document, title, position, text };
    yield {
      kind: 'facets',
      id,
      simple_questions: simpleQuestions,
      complex_questions: complexQuestions,
      context,
      scope,
    };
  }
  const id = hashOf(query).slice(0, 16);
  yield { kind: 'query', id, text: query, answers: [] };
  for (const [paragraph, verdict] of judged)
    if (found.has(paragraph)) yield { kind: 'qrel', query: id, paragraph, grade: verdict === 'right' ? 1 : 0 };
}

function* pairLines({ query, judged }: JudgedQuestion, found: ReadonlyMap<string, Candidate>): Generator<FeedbackLine> {
  const texts = (wanted: string): string[] =>
    [...judged].flatMap(([id, verdict]) => (verdict === wanted ? (found.get(id)?.payload.text ?? []) : []));
  const negatives = texts('wrong');
  for (const positive of texts('right')) yield { kind: 'pair', question: query, positive, negatives };
}
