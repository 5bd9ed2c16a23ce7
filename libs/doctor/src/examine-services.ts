import { healthVerdict } from './ask-health.js';
import { check } from './check.js';
import { fail, type Finding, ok, skipped, type Verdict, warn } from './finding.js';
import { notSet, type Patient } from './patient.js';
import { verdictOf } from './verdict-of.js';

const SERVICES = {
  tenants: 'TENANTS_URL',
  ingestion: 'INGESTION_URL',
  enrichment: 'ENRICHMENT_URL',
  embedding: 'EMBEDDING_URL',
  retrieval: 'RETRIEVAL_URL',
} as const;

/** Every service at its address, the gateway at POSTMASTER_URL, and the collector of traces. */
export const examineServices = (patient: Patient): Promise<Finding[]> => {
  const { config, limitMs, environment, mode } = patient;
  const services = Object.entries(SERVICES).map(([name, variable]) => {
    const url = config[variable];
    return check(
      name,
      limitMs,
      (signal) => (url ? reached(name, url, signal) : skipped(notSet(patient, variable))),
      placeOf(name, url),
    );
  });
  const gateway = check(
    'gateway',
    limitMs,
    (signal) => gatewayVerdict(environment.POSTMASTER_URL, signal),
    placeOf('gateway', environment.POSTMASTER_URL),
  );
  const collector = config.OTEL_EXPORTER_OTLP_ENDPOINT;
  const traces = collector
    ? [check('traces', limitMs + 500, () => collectorVerdict(collector, AbortSignal.timeout(limitMs)))]
    : [];
  return Promise.all(mode === 'spread' ? [...services, gateway, ...traces] : traces);
};

const placeOf = (name: string, url = ''): string => (URL.canParse(url) ? `${name} at ${new URL(url).host}` : name);

const reached = async (name: string, url: string, signal: AbortSignal): Promise<Verdict> => {
  try {
    return await healthVerdict(name, url, signal);
  } catch (error) {
    const { said, next = '' } = verdictOf(error);
    return fail(`${name} at ${new URL(url).host} can not be reached: ${said}`, next);
  }
};

const gatewayVerdict = (url: string | undefined, signal: AbortSignal): Promise<Verdict> | Verdict => {
  if (!url) return skipped('POSTMASTER_URL is not set.');
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    return fail('POSTMASTER_URL is no http(s) address.', 'Set it to something like http://gateway:4000.');
  return reached('gateway', url, signal);
};

/** Services go on without it, so it fails nothing. */
const collectorVerdict = async (url: string, signal: AbortSignal): Promise<Verdict> => {
  const { host } = new URL(url);
  try {
    await (await fetch(url, { signal, redirect: 'manual' })).body?.cancel(); // any answer is one
    return ok(`A collector of traces answers at ${host}.`);
  } catch (error) {
    return warn(
      `No collector of traces at ${host}: ${verdictOf(error).said}`,
      'Start it, or leave OTEL_EXPORTER_OTLP_ENDPOINT empty; services drop traces and go on.',
    );
  }
};
