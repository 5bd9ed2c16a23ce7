import { type Finding, fail, type Verdict } from './finding.js';
import { verdictOf } from './verdict-of.js';

/** Finds out about one thing; what it throws is said, and `signal` aborts when its time is up. */
export type Act = (signal: AbortSignal) => Promise<Verdict> | Verdict;

/**
 * Makes one check within its time limit. Never throws, and never takes longer: an act that hangs is left behind with its
 * signal aborted, and has to close what it opened by itself. `who` begins the sentence that says so.
 */
export const check = async (name: string, limitMs: number, act: Act, who = 'It'): Promise<Finding> => {
  const began = performance.now();
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<Verdict>((resolve) => {
    timer = setTimeout(() => {
      const said = `${who} did not answer within ${limitMs / 1000} s.`;
      resolve(fail(said, 'See whether it is overloaded, and whether a firewall or network policy is in between.'));
      late.abort(new Error('The time is up.'));
    }, limitMs);
  });
  const acting = Promise.resolve()
    .then(() => act(late.signal))
    .catch((error: unknown) => verdictOf(error));
  const verdict = await Promise.race([acting, timeUp]);
  clearTimeout(timer);
  const { state, said, next = null } = verdict;
  return { name, state, said, next, ms: Math.round(performance.now() - began) };
};
