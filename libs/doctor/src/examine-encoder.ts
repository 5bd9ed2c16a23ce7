import { encoderFromConfig } from '@postmaster/models';
import { CodedError } from '@postmaster/contracts';
import { check } from './check.js';
import { closeSoon } from './close-soon.js';
import { fail, type Finding, isBad, ok, type Verdict } from './finding.js';
import type { Patient } from './patient.js';

export interface EncoderFacts {
  id: string;
  dimension: number;
}

export interface EncoderExamined {
  findings: Promise<Finding[]>;
  /** Undefined where it does not answer. */
  facts: Promise<EncoderFacts | undefined>;
}

/** Its first answer may take long: a model is loaded, and a call tried twice. */
const TIMES = 3;
const SAMPLE = 'When does the library open?';

/** The configured encoder, or the bundled one: tried with one question. */
export const examineEncoder = (patient: Patient): EncoderExamined => {
  let facts: EncoderFacts | undefined;
  const finding = check('encoder', TIMES * patient.limitMs, async (signal) => {
    try {
      facts = undefined;
      const tried = await tryEncoder(patient, signal);
      facts = tried.facts;
      return tried.verdict;
    } catch (error) {
      return refusal(error, patient) ?? Promise.reject(error as Error);
    }
  });
  return {
    findings: finding.then((found) => [found]),
    facts: finding.then((found) => (isBad(found) ? undefined : facts)),
  };
};

const tryEncoder = async (
  { config }: Patient,
  signal: AbortSignal,
): Promise<{ facts: EncoderFacts; verdict: Verdict }> => {
  const encoder = await encoderFromConfig({ ...config, ENCODER_THREADS: 1 }); // one text needs no more
  try {
    const began = performance.now();
    await encoder.embed([SAMPLE], 'query', signal);
    const ms = Math.round(performance.now() - began);
    const { id, dimension, maxTokens } = encoder;
    const where = whereIs(config);
    const said = `${id}, ${where}: ${dimension} dimensions, ${maxTokens} tokens a text, ${ms} ms for a question.`;
    return { facts: { id, dimension }, verdict: ok(said) };
  } finally {
    await closeSoon(encoder.close());
  }
};

const whereIs = ({ ENCODER_PROVIDER: provider = 'minilm', ENCODER_URL, ENCODER_FOLDER }: Patient['config']): string => {
  if (provider === 'minilm') return 'in this process; it is made for English';
  return provider === 'onnx' ? `in this process, from ${ENCODER_FOLDER}` : `at ${new URL(ENCODER_URL ?? '').host}`;
};

const refusal = (error: unknown, { config }: Patient): Verdict | undefined => {
  if (!(error instanceof CodedError) || !/status 40[13]\b/.test(error.message)) return undefined;
  return config.ENCODER_API_KEY
    ? fail(`ENCODER_API_KEY is refused: ${error.message}`, 'Set ENCODER_API_KEY to a key that the server takes.')
    : fail(`ENCODER_API_KEY is not set, and a key is wanted: ${error.message}`, 'Set ENCODER_API_KEY.');
};
