import { done, failure, type Facets, hopeless, type Outcome, type TenantId } from '@postmaster/contracts';
import type { Database, Job } from '@postmaster/durable';
import type { FacetInput, FacetModel } from './facet-model.js';
import type { Verdict } from './gate/judge-facets.js';
import type { Rejection } from './gate/rejection.js';
import { inputHash } from './input-hash.js';
import { type JudgePorts, judgeReply } from './judge-reply.js';
import { questionCounts } from './prompt/question-counts.js';
import type { Wanted } from './rows/paragraphs.js';
import type { ReadOthers } from './rows/read-others.js';
import { type Claimed, claimReplies, forgetReplies } from './rows/replies.js';
import type { EnrichmentTables } from './rows/tables.js';

export interface Made {
  id: string;
  inputHash: string;
  facets: Facets;
  /** What did not count, of all replies. */
  rejected: readonly Rejection[];
}

/** What is asked of a model, under the hash that its reply is kept by. */
export interface Asking extends Wanted {
  hash: string;
  /** Of the reply; with the extractive enricher there is nothing to claim. */
  claimed: Claimed | undefined;
}

export interface Asked {
  outcome: Outcome;
  made?: { id: string; inputHash: string; facets: Facets };
}

interface CheckPorts extends JudgePorts {
  db: Database<EnrichmentTables>;
  model: FacetModel;
  readOthers: ReadOthers;
}

/**
 * Makes facets of which only what stands the gate counts. Where too little is left the model is asked once more, told
 * what did not count and why; that reply is kept like the first, so that neither is paid for twice. Of a paragraph
 * with nothing left both are forgotten: it is given up with FACETS_REJECTED, and asked about anew when it is sent again.
 */
export const makeChecked = async (
  ports: CheckPorts,
  tenant: TenantId,
  job: Job,
  first: Asking,
  ask: (asking: Asking) => Promise<Asked>,
): Promise<{ outcome: Outcome; made?: Made }> => {
  const { made, outcome } = await ask(first);
  if (!made) return { outcome };
  if (ports.model.id === 'extractive') return { outcome, made: { ...made, rejected: [] } };
  const others = await ports.readOthers(first);
  await new Promise(setImmediate); // the next call goes out before this thread judges, which takes it some milliseconds
  const verdict = await judgeReply(ports, tenant, first.input, others, made.facets);
  if (!leavesTooLittle(first.input, verdict)) return { outcome, made: { ...made, ...verdict } };

  const input: FacetInput = { ...first.input, rejected: verdict.rejected.slice(0, MOST_NAMED) };
  const hash = inputHash(ports.model, input);
  const claims = await ports.db.asTenant(tenant, (tx) =>
    claimReplies(tx, tenant, [{ inputHash: hash, paragraph: first.id, job }]),
  );
  const second = await ask({ ...first, input, hash, claimed: claims.get(hash) });
  if (second.outcome.kind !== 'retry' && !second.made) return { outcome: second.outcome };
  const last = second.made
    ? await judgeReply(ports, tenant, first.input, others, together(verdict, second.made.facets))
    : verdict;
  const rejected = second.made ? [...verdict.rejected, ...last.rejected] : verdict.rejected;
  if (!isEmpty(last.facets)) return { outcome: done(), made: { ...made, facets: last.facets, rejected } };
  await ports.db.asTenant(tenant, (tx) => forgetReplies(tx, [first.hash, hash]));
  return {
    outcome: hopeless(
      failure('FACETS_REJECTED', `Nothing that ${ports.model.id} wrote stood the checks: ${reasonsOf(rejected)}.`),
    ),
  };
};

/** Of what was dropped, so much is shown to the model. */
const MOST_NAMED = 12;

const leavesTooLittle = ({ text }: FacetInput, { facets }: Verdict): boolean => {
  const asked = questionCounts(text);
  const kept = facets.simpleQuestions.length + facets.complexQuestions.length;
  return kept < (asked.simple + asked.complex) / 2 || facets.context === '' || facets.scope === '';
};

const together = ({ facets: kept }: Verdict, second: Facets): Facets => ({
  ...second,
  simpleQuestions: [...kept.simpleQuestions, ...second.simpleQuestions],
  complexQuestions: [...kept.complexQuestions, ...second.complexQuestions],
  context: kept.context || second.context,
  scope: kept.scope || second.scope,
});

const isEmpty = ({ simpleQuestions, complexQuestions, context, scope }: Facets): boolean =>
  simpleQuestions.length + complexQuestions.length === 0 && !context && !scope;

const reasonsOf = (rejected: readonly Rejection[]): string =>
  [...new Set(rejected.map(({ reason }) => reason))].join(', ');
