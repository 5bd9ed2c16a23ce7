import { describe, expect, it } from 'vitest';
import { modelGate } from './model-gate.js';

/** A gate of one place that is taken, and who came in after. */
const full = async () => {
  const clock = { now: 0 };
  const gate = modelGate(1, () => clock.now);
  const order: string[] = [];
  const leave = await gate.enter('bulk', 'facets');
  const come = (name: string, ...how: Parameters<typeof gate.enter>): Promise<() => void> =>
    gate.enter(...how).then((out) => {
      order.push(name);
      return out;
    });
  return { clock, gate, order, leave, come };
};

describe('the gate to a model', () => {
  it('lets interactive work go before bulk, and facets before what is told of documents', async () => {
    const { order, leave, come } = await full();
    const all = [
      come('bulk document', 'bulk', 'document'),
      come('bulk facets', 'bulk', 'facets'),
      come('document', 'interactive', 'document'),
      come('facets', 'interactive', 'facets'),
    ];
    leave();
    for (const one of all.toReversed()) (await one)();
    expect(order).toEqual(['facets', 'document', 'bulk facets', 'bulk document']);
  });

  it('lets documents that have waited for a minute go ahead of other bulk, and of nothing interactive', async () => {
    const { clock, order, leave, come } = await full();
    const aged = come('aged', 'bulk', 'document');
    clock.now = 30_000;
    const young = come('young', 'bulk', 'document');
    const facets = come('bulk facets', 'bulk', 'facets');
    const urgent = come('interactive', 'interactive', 'facets');
    clock.now = 60_000;
    leave();
    for (const one of [urgent, aged, facets, young]) (await one)();
    expect(order).toEqual(['interactive', 'aged', 'bulk facets', 'young']);
  });

  it('gives a place on once, however often its holder leaves', async () => {
    const { order, leave, come } = await full();
    const [first, second] = [come('first', 'bulk', 'facets'), come('second', 'bulk', 'facets')];
    leave();
    leave();
    await first;
    await new Promise(setImmediate);
    expect(order).toEqual(['first']);
    (await first)();
    await second;
    expect(order).toEqual(['first', 'second']);
  });
});
