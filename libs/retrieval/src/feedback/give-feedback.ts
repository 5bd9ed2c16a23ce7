import { CodedError, FeedbackVerdict, kindOf, type NewId, type TenantId } from '@postmaster/contracts';
import type { Database } from '@postmaster/durable';
import { z } from 'zod';
import type { EncodeQuestion } from '../cache/question-vectors.js';
import type { Candidate, CandidateStore } from '../candidate-store.js';
import { checkQuestion } from '../check-request.js';
import { addFeedback } from '../rows/feedback.js';
import type { RetrievalTables, StoredFeedback } from '../rows/tables.js';

export const FeedbackInput = z
  .strictObject({
    query: z.string(),
    verdict: FeedbackVerdict,
    paragraph: z.string().min(1).max(200).optional(),
    answer: z
      .strictObject({
        text: z.string().min(1).max(20_000),
        citations: z.array(z.string().min(1).max(200)).max(100).default([]), // paragraphs
      })
      .optional(),
    note: z.string().max(2_000).optional(),
  })
  .refine(({ paragraph, answer }) => (paragraph === undefined) !== (answer === undefined), {
    path: ['paragraph'],
    error: 'either a paragraph or an answer is judged',
  });
export type FeedbackInput = z.input<typeof FeedbackInput>;

export type Feedback = Pick<StoredFeedback, 'id' | 'query' | 'verdict' | 'note'> & { givenAt: Date };

export interface GiveFeedbackPorts {
  db: Database<RetrievalTables>;
  store: Pick<CandidateStore, 'complete'>;
  encode: EncodeQuestion;
  now: () => Date;
  newId: NewId;
}

/**
 * Notes that a hit or an answer is right or wrong for a question. It changes no search. Throws INPUT_INVALID,
 * QUERY_EMPTY, QUERY_TOO_LONG, NOT_FOUND for paragraphs that the tenant does not have, SERVICE_UNAVAILABLE.
 */
export const giveFeedback =
  ({ db, store, encode, now, newId }: GiveFeedbackPorts) =>
  async (tenant: TenantId, token: string, subject: string, input: unknown): Promise<Feedback> => {
    const { verdict, paragraph, answer, note, ...given } = checked(input);
    const query = checkQuestion(given.query);
    const paragraphs = [...new Set(paragraph === undefined ? (answer?.citations ?? []) : [paragraph])];
    const found = paragraphs.length === 0 ? [] : await pointsOf({ store, encode }, tenant, token, query, paragraphs);
    const known = new Set(found.map(({ id }) => id));
    const unknown = paragraphs.find((id) => !known.has(id));
    if (unknown !== undefined) throw notThere(unknown, paragraph === undefined);
    const row: StoredFeedback = {
      ...{ id: newId(), tenant, query, verdict, answer: answer?.text ?? null, paragraphs, note: note ?? null },
      documents: [...new Set(found.map(({ payload }) => payload.document))],
      ...{ given_by: subject, given_at: now() },
    };
    if (!(await db.asTenant(tenant, (tx) => addFeedback(tx, row))))
      throw notThere(paragraphs[0] ?? '', paragraph === undefined);
    return { id: row.id, query, verdict, note: row.note, givenAt: row.given_at };
  };

const pointsOf = async (
  { store, encode }: Pick<GiveFeedbackPorts, 'store' | 'encode'>,
  tenant: TenantId,
  token: string,
  query: string,
  paragraphs: readonly string[],
): Promise<Candidate[]> => {
  const { vector, index } = await encode(tenant, token, { searchText: query, variations: [] });
  const found = await store.complete(tenant, index, { vector, text: query, legs: ['paragraph'] }, paragraphs);
  return found.filter(({ payload }) => kindOf(payload) === 'paragraph'); // evaluations ask for paragraphs
};

const checked = (input: unknown): z.output<typeof FeedbackInput> => {
  const read = FeedbackInput.safeParse(input);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const field = issue?.path.map(String).join('.') || 'input';
  throw new CodedError('INPUT_INVALID', `The feedback is wrong at "${field}": ${issue?.message}.`, { field });
};

const notThere = (paragraph: string, cited: boolean): CodedError =>
  new CodedError('NOT_FOUND', `There is no paragraph "${paragraph}" in search.`, {
    field: cited ? 'answer.citations' : 'paragraph',
  });
