import { modelsFromConfig } from '@postmaster/models';
import type { Failure } from '@postmaster/contracts';
import { check } from './check.js';
import { fail, type Finding, ok, skipped, type Verdict, warn } from './finding.js';
import { notSet, type Patient } from './patient.js';

/** A model that was not used for a while is loaded first. */
const TIMES = 12;
const SLOW_MS = 30_000;

/** The language model and its fallbacks: facets of one small paragraph of each, never asked for twice. */
export const examineLanguageModel = async (patient: Patient): Promise<Finding[]> => {
  const { config, model, limitMs } = patient;
  const limit = Math.min(TIMES * limitMs, config.LLM_TIMEOUT_MS);
  const finding = await check('language model', limit + 500, async (signal) => {
    if (!config.LLM_PROVIDER)
      return skipped(
        notSet(patient, 'LLM_PROVIDER', 'None is configured: facets and answers are taken from the text itself.'),
      );
    const models = modelsFromConfig({ ...config, LLM_TIMEOUT_MS: limit }); // a wrong configuration is said without a call
    if (!model) return skipped(`${models.facets.id} was not tried.`);
    const tried = await models.tryOnce(signal);
    return tried.ok ? answered(models.facets.id, tried.tookMs) : refused(tried.failure, patient);
  });
  return [finding, ...(await examineFallbacks(patient, limit))];
};

const examineFallbacks = async ({ config, model }: Patient, limitMs: number): Promise<Finding[]> => {
  if (!config.LLM_PROVIDER || !config.LLM_MODEL || !model) return [];
  const { fallbacks } = modelsFromConfig({ ...config, LLM_TIMEOUT_MS: limitMs });
  return Promise.all(
    fallbacks.map(({ id, tryOnce }) =>
      check('language model, fallback', limitMs + 500, async (signal) => {
        const tried = await tryOnce(signal);
        if (tried.ok) return answered(id, tried.tookMs);
        return fail(
          tried.failure.message,
          `See to ${id} in LLM_FALLBACK: it is to stand in where the first model fails.`,
        );
      }),
    ),
  );
};

const answered = (id: string, ms: number): Verdict => {
  const said = `${id} made the facets of a paragraph in ${(ms / 1000).toFixed(1)} s.`;
  return ms > SLOW_MS
    ? warn(
        said,
        'Documents take this long for each paragraph, divided by the calls that it bears at once: use a faster model or server.',
      )
    : ok(said);
};

const refused = ({ message, next }: Failure, { config }: Patient): Verdict => {
  if (/answered 40[13]\b/.test(message))
    return config.LLM_API_KEY
      ? fail(`LLM_API_KEY is refused: ${message}`, 'Set LLM_API_KEY to a key that the server takes for this model.')
      : fail(`LLM_API_KEY is not set, and a key is wanted: ${message}`, 'Set LLM_API_KEY.');
  if (/answered 404\b/.test(message))
    return fail(
      `LLM_MODEL or LLM_URL is not known there: ${message}`,
      `See which models the server has; LLM_MODEL is "${config.LLM_MODEL}".`,
    );
  return fail(message, next);
};
