import { describe, expect, it } from 'vitest';
import { createLog } from '@postmaster/service';
import { federatedGraph, type FederatedGraph, readSupergraph } from './federated-graph.js';
import { SUBGRAPH_LIMITS } from './subgraph-connection.js';

const log = createLog({ name: 'test', level: 'silent', pretty: false });
const built = readSupergraph();
const newer = built.replace(/^( {2}tookMs: Float!)/m, '$1\n  motto: String');

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const runs = ({ server }: ReturnType<FederatedGraph['hold']>): boolean => {
  try {
    server.assertStarted('a version');
    return true;
  } catch {
    return false;
  }
};

describe('a version of the graph', () => {
  it('stays whole while it is held, and ends when the last one lets go', async () => {
    const graph = await federatedGraph(built, {}, { log, limits: SUBGRAPH_LIMITS, slowTimeoutMs: 1_000 });
    const [first, second] = [graph.hold(), graph.hold()];
    await graph.replace(newer);
    const present = graph.hold();
    expect(present.server).not.toBe(first.server);
    first.release();
    first.release(); // twice is once
    await pause(50);
    expect(runs(second)).toBe(true);
    second.release();
    while (runs(second)) await pause(5);
    present.release();
    await pause(50);
    expect(runs(present)).toBe(true);
    await graph.stop();
  });
});
