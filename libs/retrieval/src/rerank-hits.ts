import {
  CodedError,
  failure,
  failureOf,
  type Notice,
  type Rerank,
  type RerankMatch,
  type TenantId,
} from '@postmaster/contracts';
import type { Candidate } from './candidate-store.js';
import { Circuit, REST_MS } from './circuit.js';
import type { Fused } from './fuse-scores.js';
import { saidOfSources, shownSource } from './hostile-sources.js';
import { type ModelLedger, onBudget, type OnPaid } from './ledger/model-ledger.js';
import type { RerankPassage, RerankQuestion, Reranker, RerankScore } from './reranker.js';
import { competitionRanks } from './scale-scores.js';

/** So many of the fused order's best are read again. */
export const RERANKED = 50;

/** A reranker, and how long the whole of reranking one search may take. */
export interface TimedReranker {
  reranker: Reranker;
  timeoutMs: number;
}

export interface RerankPorts {
  /** Milliseconds, of any origin. */
  now?: () => number;
  /** Absent ones are not configured. */
  rerankers?: Partial<Record<Exclude<Rerank, 'none'>, TimedReranker>>;
  /** Whose budget is used up has nothing judged; nobody's, unless told. */
  ledger?: ModelLedger;
  /** Where a failure that no code foresees is to be seen: the search goes on without the model. */
  onFault?: (error: unknown) => void;
}

/** The fused order as a reranker leaves it. `asked` absent: the cross-encoder, if one is configured. */
export type RerankHits = (
  tenant: TenantId,
  asked: Rerank | undefined,
  question: RerankQuestion,
  fused: readonly Fused<Candidate>[],
  signal?: AbortSignal,
) => Promise<{ ranked: readonly Ranked[]; notices: Notice[] }>;

export interface Ranked extends Fused<Candidate> {
  rerank?: RerankMatch;
}

/**
 * The fused order, its best 50 in the order of a reranker: by its score, equal ones as they stood. Those 50 stay before
 * the rest, so their final score is ½ + ½ × the reranker's score scaled between their least and greatest (all equal:
 * 1), and the rest's is ½ × the fused one.
 *
 * All or nothing: where the reranker is late, fails, or gives anything but one finite number per passage, the fused
 * order and its scores stand, and a notice says why. After three failures in a row it is left alone for 30 s. Throws
 * the reason of `signal` alone.
 */
export const rerankHits = ({
  rerankers = {},
  onFault,
  ledger,
  now = () => performance.now(),
}: RerankPorts): RerankHits => {
  const circuits = { 'cross-encoder': new Circuit(now), judge: new Circuit(now) };
  return async (tenant, asked, question, fused, signal) => {
    const stands = (...notices: Notice[]) => ({ ranked: fused, notices });
    const way = asked ?? (rerankers['cross-encoder'] ? 'cross-encoder' : 'none');
    if (way === 'none' || fused.length === 0) return stands();
    const timed = rerankers[way];
    if (!timed) return stands(failure('RERANKER_NOT_SET', `No ${NAMES[way]} is configured: the fused order stands.`));
    const failed = (error: unknown) => {
      signal?.throwIfAborted();
      if (!(error instanceof CodedError)) onFault?.(error);
      const { code, message, next } = failureOf(error);
      return stands({ code, message: `${message} The fused order stands.`, next });
    };
    const reread = async (onPaid?: OnPaid) => {
      if (!circuits[way].mayAsk()) return stands(resting(timed.reranker));
      try {
        const best = fused.slice(0, RERANKED);
        const scores = await scoresOf(timed, question, best, signal, onPaid);
        circuits[way].answered();
        return { ranked: inNewOrder(timed.reranker.id, fused, scores), notices: [] };
      } catch (error) {
        signal?.throwIfAborted();
        circuits[way].failed();
        return failed(error);
      }
    };
    return way === 'judge' ? onBudget(ledger, tenant, 'reranking', reread).catch(failed) : reread();
  };
};

const NAMES = { 'cross-encoder': 'cross-encoder', judge: 'language model to judge' };

const resting = ({ id }: Reranker): Notice =>
  failure(
    'RERANKER_UNREACHABLE',
    `"${id}" failed several times in a row and is left alone for ${REST_MS / 1000} s: the fused order stands.`,
  );

const scoresOf = async (
  { reranker, timeoutMs }: TimedReranker,
  question: RerankQuestion,
  best: readonly Fused<Candidate>[],
  signal: AbortSignal | undefined,
  onPaid: OnPaid | undefined,
): Promise<readonly RerankScore[]> => {
  const read = best.map(({ candidate: { payload } }) => payload);
  const passages = read.map((payload) => {
    const { title, trail, text } = shownSource(payload);
    return { title, trail, text };
  });
  const calls = Array.from({ length: Math.ceil(passages.length / reranker.maxTextsPerCall) }, (_, call) =>
    passages.slice(call * reranker.maxTextsPerCall, (call + 1) * reranker.maxTextsPerCall),
  );
  return within(reranker.id, timeoutMs, signal, async (ending) => {
    const answers = await Promise.all(
      calls.map(async (some) =>
        checked(reranker.id, await reranker.rerank(question, some, ending, onPaid), some.length),
      ),
    );
    return withPlainReasons(answers.flat(), read, question);
  });
};

/** A grade stays without its reason where that says what one of the passages tells a model to say. */
const withPlainReasons = (
  scores: readonly RerankScore[],
  passages: readonly RerankPassage[],
  { text }: RerankQuestion,
): RerankScore[] => {
  const { isTold, plain } = saidOfSources(passages, [text]);
  return scores.map((score) => {
    if (!score.verdict) return score;
    const { reason } = score.verdict;
    return { ...score, verdict: { ...score.verdict, reason: isTold(reason) ? '' : plain(reason) } };
  });
};

/** Ends the work when its time is over or its caller leaves, and does not wait for it to have ended. */
const within = async <T>(
  id: string,
  timeoutMs: number,
  signal: AbortSignal | undefined,
  work: (ending: AbortSignal) => Promise<T>,
): Promise<T> => {
  signal?.throwIfAborted();
  const end = new AbortController();
  const leave = (): void => end.abort(signal?.reason);
  signal?.addEventListener('abort', leave);
  const late = new CodedError('RERANKER_LATE', `"${id}" did not answer within ${timeoutMs / 1000} s.`);
  const timer = setTimeout(() => end.abort(late), timeoutMs);
  try {
    return await new Promise<T>((resolve, reject) => {
      end.signal.addEventListener('abort', () => reject(end.signal.reason));
      work(end.signal).then(resolve, reject);
    });
  } catch (error) {
    end.abort(error); // one call that failed ends the others
    throw error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', leave);
  }
};

const checked = (id: string, scores: readonly RerankScore[], count: number): readonly RerankScore[] => {
  if (scores.length !== count)
    throw new CodedError('RERANKER_MALFORMED', `"${id}" gave ${scores.length} scores for ${count} passages.`);
  const odd = scores.find(({ score }) => !Number.isFinite(score));
  if (odd) throw new CodedError('RERANKER_MALFORMED', `"${id}" gave ${odd.score} as a score.`);
  return scores;
};

const inNewOrder = (
  reranker: string,
  fused: readonly Fused<Candidate>[],
  scores: readonly RerankScore[],
): readonly Ranked[] => {
  const raw = Float64Array.from(scores, ({ score }) => score);
  const ranks = competitionRanks(raw);
  const least = Math.min(...raw);
  const range = Math.max(...raw) - least;
  const reread = scores.map(({ score, verdict = null }, place): Ranked => {
    const scaled = range > 0 && range < Infinity ? Math.min(1, (score - least) / range) : 1;
    const rerank = { reranker, score, scaled, rank: ranks[place]!, fusedRank: place + 1, verdict };
    return { ...fused[place]!, score: 0.5 + scaled / 2, rerank };
  });
  reread.sort((a, b) => a.rerank!.rank - b.rerank!.rank); // stable: the fused order decides between equals
  return [...reread, ...fused.slice(scores.length).map((one) => ({ ...one, score: one.score / 2 }))];
};
