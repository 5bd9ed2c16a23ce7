import { describe, expect, it } from 'vitest';
import { type DomainEvent, TenantId } from '@postmaster/contracts';
import { followDocument } from './follow-document.js';

const tenant = TenantId.parse('acme');
const TIMES = { quietMs: 1, lookAgainMs: 60_000 };

const watched = () => {
  let see: ((event: DomainEvent) => void) | undefined;
  const observers = {
    observe: (_: TenantId, watcher: (event: DomainEvent) => void) => {
      see = watcher;
      return () => (see = undefined);
    },
  };
  const change = (document: string) =>
    see?.({ id: 'e', type: 'document.progressed', tenant, time: '', data: { document, version: 1 } });
  return { observers, change, isWatched: () => see !== undefined };
};

describe('following a document', () => {
  it('looks once for many changes that come together, and gives no state twice', async () => {
    const { observers, change } = watched();
    let state = 0;
    let looks = 0;
    const look = async () => {
      looks += 1;
      return state;
    };
    const signal = new AbortController().signal;
    const states = followDocument({ observers, tenant, document: 'd', signal }, look, (seen) => seen === 2, TIMES);
    const seen = [(await states.next()).value];
    for (let times = 0; times < 10; times += 1) change('d'); // nothing has changed in fact
    setTimeout(() => {
      state = 2;
      change('d');
    }, 20);
    for await (const next of states) seen.push(next);
    expect(seen).toEqual([0, 2]);
    expect(looks).toBeLessThanOrEqual(4);
  });

  it('sees a change that happens while it looks', async () => {
    const { observers, change } = watched();
    let state = 'old';
    const look = async () => {
      const found = state;
      if (state === 'old') {
        state = 'new';
        change('d');
      }
      return found;
    };
    const signal = new AbortController().signal;
    const seen = [];
    for await (const found of followDocument(
      { observers, tenant, document: 'd', signal },
      look,
      (s) => s === 'new',
      TIMES,
    ))
      seen.push(found);
    expect(seen).toEqual(['old', 'new']);
  });

  it('looks again after a while though no event came', async () => {
    const { observers } = watched();
    let looks = 0;
    const signal = new AbortController().signal;
    const states = followDocument(
      { observers, tenant, document: 'd', signal },
      async () => (looks += 1),
      (n) => n === 3,
      {
        quietMs: 1,
        lookAgainMs: 5,
      },
    );
    const seen = [];
    for await (const found of states) seen.push(found);
    expect(seen).toEqual([1, 2, 3]);
  });

  it('ends at once when its reader goes, and watches no longer', async () => {
    const { observers, isWatched } = watched();
    const reader = new AbortController();
    const states = followDocument(
      { observers, tenant, document: 'd', signal: reader.signal },
      async () => 1,
      () => false,
      TIMES,
    );
    await states.next();
    const ended = states.next();
    reader.abort();
    expect(await ended).toEqual({ done: true, value: undefined });
    expect(isWatched()).toBe(false);
  });
});
