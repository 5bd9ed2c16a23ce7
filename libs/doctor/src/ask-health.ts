import { z } from 'zod';
import { fail, ok, type Verdict, warn } from './finding.js';
import { listed } from './figures.js';

const Live = z.object({ live: z.literal(true) });
/** As libs/service answers. */
const Ready = z.object({ ready: z.boolean(), accepting: z.boolean(), checks: z.record(z.string(), z.string()) });

/** Whether a process lives, and serves; which of its own checks fails. Throws where nothing answers. */
export const healthVerdict = async (name: string, url: string, signal: AbortSignal): Promise<Verdict> => {
  const base = url.replace(/\/+$/, '');
  const { host } = new URL(base);
  const began = performance.now();
  const live = await answerOf(`${base}/health/live`, signal);
  if (!Live.safeParse(live.body).success)
    return fail(`What answers at ${host} is not ${name} (status ${live.status}).`, 'Correct its address.');
  const ready = await answerOf(`${base}/health/ready`, signal);
  const took = `${Math.round(performance.now() - began)} ms`;
  const read = Ready.safeParse(ready.body);
  if (ready.status === 200) return ok(`${name} at ${host} lives and is ready, in ${took}.`);
  if (!read.success)
    return fail(`${name} at ${host} lives but answers /health/ready with status ${ready.status}.`, 'See its log.');
  const bad = Object.entries(read.data.checks).filter(([, outcome]) => outcome !== 'ok');
  const why = bad.map(([check, outcome]) => `${check} ${outcome === 'late' ? 'did not answer in time' : 'failed'}`);
  if (bad.length > 0)
    return fail(
      `${name} at ${host} lives but is not ready: ${listed(why)}.`,
      'See its log: docs/runbooks/ServiceNotReady.md.',
    );
  return warn(
    `${name} at ${host} lives but takes no requests: it is starting or stopping.`,
    'Try again shortly; if it stays, see its log.',
  );
};

const answerOf = async (url: string, signal: AbortSignal): Promise<{ status: number; body: unknown }> => {
  const response = await fetch(url, { signal, redirect: 'manual' });
  const text = await response.text();
  try {
    return { status: response.status, body: JSON.parse(text) as unknown };
  } catch {
    return { status: response.status, body: undefined };
  }
};
