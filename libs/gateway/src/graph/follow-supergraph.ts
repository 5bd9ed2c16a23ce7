import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { CodedError } from '@postmaster/contracts';
import type { Log } from '@postmaster/service';
import type { FederatedGraph } from './federated-graph.js';

export interface FollowedSupergraph {
  path: string;
  /** The text that is served already. */
  first: string;
  everyMs: number;
}

/** Someone may be in the middle of writing: a text counts when it is still the same after this. */
const SETTLED_MS = 50;

/**
 * Reads the file again and again, and has the graph go over to a text that changed. One that is refused is logged, and
 * the old one stays. The text itself is compared: a mounted file is swapped by a link, of which neither file events
 * nor its times tell reliably. Gives what ends it.
 */
export const followSupergraph = (
  graph: Pick<FederatedGraph, 'replace'>,
  { path, first, everyMs }: FollowedSupergraph,
  log: Log,
): (() => Promise<void>) => {
  const stopped = new AbortController();
  const { signal } = stopped;
  let seen: string | undefined = first;

  const look = async (): Promise<void> => {
    const text = await readText(path);
    if (text === seen) return;
    await pause(SETTLED_MS, undefined, { signal });
    if (text !== (await readText(path))) return;
    seen = text;
    if (text === undefined) return log.error({ path }, 'the supergraph file can not be read; the old one stays');
    try {
      await graph.replace(text);
      log.info({ path }, 'the supergraph was replaced');
    } catch (err) {
      if (!(err instanceof CodedError)) throw err;
      log.error({ path, err }, 'the supergraph file was refused; the old one stays');
    }
  };
  const ended = (async () => {
    while (!signal.aborted) {
      try {
        await pause(everyMs, undefined, { signal });
        await look();
      } catch (err) {
        if (!signal.aborted) log.error({ path, err }, 'the supergraph file was not followed');
      }
    }
  })();
  return () => {
    stopped.abort();
    return ended;
  };
};

const readText = (path: string): Promise<string | undefined> => readFile(path, 'utf8').catch(() => undefined);

/** Throws CONFIG_INVALID where there is no such file. */
export const readSupergraphFile = async (path: string): Promise<string> => {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new CodedError('CONFIG_INVALID', `The supergraph file "${path}" can not be read.`, { cause });
  }
};
