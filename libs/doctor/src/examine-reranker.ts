import type { Failure } from '@postmaster/contracts';
import { rerankerFromConfig, tryReranker } from '@postmaster/models';
import { check } from './check.js';
import { closeSoon } from './close-soon.js';
import { fail, type Finding, ok, skipped, type Verdict, warn } from './finding.js';
import { notSet, type Patient } from './patient.js';

/** Its first answer may take long: a model is loaded, and a call tried twice. */
const TIMES = 3;

/** The configured reranker: tried with two passages. Searches go on without it, in the fused order. */
export const examineReranker = async (patient: Patient): Promise<Finding[]> => {
  const { config, model, limitMs } = patient;
  const finding = await check('reranker', TIMES * limitMs, async (signal) => {
    if (!config.RERANKER_PROVIDER)
      return skipped(notSet(patient, 'RERANKER_PROVIDER', 'None is configured: the fused order is the order.'));
    const reranker = await rerankerFromConfig({ ...config, RERANKER_THREADS: 1 });
    if (!reranker) return skipped('None is configured.');
    try {
      if (!model && config.RERANKER_PROVIDER !== 'onnx') return skipped(`${reranker.id} was not tried.`);
      const tried = await tryReranker(reranker, signal);
      return tried.ok
        ? answered(reranker.id, tried.tookMs, config.RERANKER_TIMEOUT_MS)
        : refused(tried.failure, patient);
    } finally {
      await closeSoon(reranker.close());
    }
  });
  return [finding];
};

const answered = (id: string, ms: number, limitMs: number): Verdict => {
  const said = `${id} reranked two passages in ${Math.round(ms)} ms.`;
  return ms > limitMs
    ? warn(
        said,
        `That is more than RERANKER_TIMEOUT_MS (${limitMs}) for all of a search: use a faster one, or raise it.`,
      )
    : ok(said);
};

const refused = ({ message, next }: Failure, { config }: Patient): Verdict => {
  if (!/status 40[13]\b/.test(message)) return fail(message, next);
  return config.RERANKER_API_KEY
    ? fail(`RERANKER_API_KEY is refused: ${message}`, 'Set RERANKER_API_KEY to a key that the server takes.')
    : fail(`RERANKER_API_KEY is not set, and a key is wanted: ${message}`, 'Set RERANKER_API_KEY.');
};
