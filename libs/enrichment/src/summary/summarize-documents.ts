import {
  CodedError,
  done,
  hashOf,
  type Outcome,
  paused,
  skipped,
  type TenantId,
  withoutInstructions,
} from '@postmaster/contracts';
import type { Finished, Job } from '@postmaster/durable';
import { afterFailure, type Asked, payForReply, type PayPorts } from '../pay-for-reply.js';
import { keepSummaryReply, keptSummaryReply, storeSummary, type SummaryNow, summaryInputs } from '../rows/summaries.js';
import type { EnrichmentTables } from '../rows/tables.js';
import { checkSummary } from './check-summary.js';
import { EXTRACTIVE_SUMMARY_VERSION, extractSummary } from './extract-summary.js';
import type { DocumentSummary, DocumentSummaryModel, SummaryInput } from './summary-model.js';
import { pointsFor } from './summary-parts.js';
import type { WholeText } from './read-whole.js';

export interface SummarizePorts extends PayPorts {
  /** A document's parts; undefined of one whose text is not stored, or that is gone. Throws SERVICE_UNAVAILABLE, TIMED_OUT. */
  readWhole: (tenant: TenantId, document: string) => Promise<WholeText | undefined>;
  /** A tenant's model; its own best sentences where there is none. */
  modelOf: (tenant: TenantId) => Promise<DocumentSummaryModel | undefined>;
  languageOf: (text: string) => string | null;
}

/** A shorter text is its own summary: no model is asked for one, in code points. */
export const LEAST_ASKED = 400;
/**
 * Sums up documents, a job each: by the model where there is one, of a long text from the summaries of its parts, each
 * checked by the text that it is of; else by the text's own sentences, which also stand in while the model is out or the
 * budget used up. A reply is kept as it comes: neither a kill nor another try pays for it twice.
 */
export const summarizeDocuments =
  (ports: SummarizePorts) =>
  async (tenant: TenantId, jobs: readonly Job[], signal: AbortSignal): Promise<Finished<EnrichmentTables>> => {
    const outcomes = new Map<string, Outcome>();
    const made: SummaryNow[] = [];
    try {
      const model = await ports.modelOf(tenant);
      const ids = jobs.map(({ document }) => document);
      const before = await ports.db.asTenant(tenant, (tx) => summaryInputs(tx, ids));
      for (const job of jobs) {
        const whole = await ports.readWhole(tenant, job.document);
        const result: Result = whole
          ? await summarizeOne(ports, tenant, job, whole, model, before.get(job.document), signal)
          : { outcome: skipped('its text is not stored, or it is gone') };
        outcomes.set(job.id, result.outcome);
        if (result.made) made.push(result.made);
      }
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      for (const { id } of jobs)
        if (!outcomes.has(id)) outcomes.set(id, paused(ports.pauseMs ?? 5_000, error.toFailure()));
    }
    return {
      outcomes,
      store: async (tx, held) => {
        const kept = new Set(held.map(({ job }) => job.document));
        for (const one of made) if (kept.has(one.document)) await storeSummary(tx, tenant, one);
      },
    };
  };

interface Result {
  outcome: Outcome;
  made?: SummaryNow;
}

const summarizeOne = async (
  ports: SummarizePorts,
  tenant: TenantId,
  job: Job,
  whole: WholeText,
  model: DocumentSummaryModel | undefined,
  before: string | undefined,
  signal: AbortSignal,
): Promise<Result> => {
  const { version, title, language, parts, length } = whole;
  const asked = model && length >= LEAST_ASKED ? model : undefined;
  const by = { model: asked?.id ?? 'extractive', promptVersion: asked?.promptVersion ?? EXTRACTIVE_SUMMARY_VERSION };
  const inputHash = hashOf(by.model, by.promptVersion, title, language ?? '', ...parts);
  if (before === `${version} ${inputHash}`) return { outcome: done() };
  const of = { document: job.document, version, lane: job.lane };
  const extracted = (hash: string): SummaryNow => ({
    ...{ ...of, ...extractSummary(parts.join('\n'), pointsFor(length)), inputHash: hash, replies: [] },
    ...{ model: 'extractive', promptVersion: EXTRACTIVE_SUMMARY_VERSION },
  });
  if (!asked) return { outcome: done(), made: extracted(inputHash) };
  const waits = hashOf('waits', inputHash); // so that the model is asked when it is back
  const replies: string[] = [];
  const ask = async (text: SummaryInput['text']): Promise<DocumentSummary> => {
    const input = { title: withoutInstructions(title).trim(), language, points: pointsFor(length), text };
    const hash = hashOf(asked.id, asked.promptVersion, JSON.stringify(input));
    replies.push(hash);
    return askOnce(ports, job, of, asked, input, hash, signal);
  };
  try {
    const ofParts: DocumentSummary[] = [];
    for (const text of parts)
      ofParts.push(checkSummary(await ask(withoutInstructions(text)), { title, text, language }, ports.languageOf));
    const summary = ofParts.length === 1 ? ofParts[0] : await joined(ofParts, whole, ask, ports);
    const made = summary && summary.points.length > 0 && summary.paragraph !== '' ? summary : undefined;
    if (!made) return { outcome: done(), made: { ...extracted(inputHash), replies } };
    return { outcome: done(), made: { ...of, ...by, ...made, inputHash, replies } };
  } catch (error) {
    const outcome = afterFailure(error, job, signal, ports.pauseMs);
    return signal.aborted ? { outcome } : { outcome, made: { ...extracted(waits), replies } };
  }
};

/** What the summaries of parts come to; checked by them, as they were by the text. */
const joined = async (
  ofParts: readonly DocumentSummary[],
  { title, language }: WholeText,
  ask: (text: SummaryInput['text']) => Promise<DocumentSummary>,
  { languageOf }: SummarizePorts,
): Promise<DocumentSummary | undefined> => {
  const some = ofParts.filter(({ points, paragraph }) => points.length > 0 || paragraph !== '');
  if (some.length === 0) return undefined;
  const text = some.flatMap(({ points, paragraph }) => [...points, paragraph]).join('\n');
  return checkSummary(await ask(some), { title, text, language }, languageOf);
};

const askOnce = async (
  ports: SummarizePorts,
  job: Job,
  of: { document: string; version: number },
  model: DocumentSummaryModel,
  input: SummaryInput,
  hash: string,
  signal: AbortSignal,
): Promise<DocumentSummary> => {
  const { tenant } = job;
  const kept = await ports.db.asTenant(tenant, (tx) => keptSummaryReply(tx, of.document, hash));
  if (kept) return kept;
  const asked: Asked<DocumentSummary> = {
    model: model.id,
    ask: (within) => model.summarizeDocument(input, within),
    keep: (tx, paid) => keepSummaryReply(tx, tenant, of, hash, paid),
  };
  return (await payForReply(ports, job, asked, signal)).reply;
};
