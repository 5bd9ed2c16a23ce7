import { makeFacets, requireScope, type Requests } from '@postmaster/contracts';
import type { FacetModel } from './facet-model.js';
import type { MakeFacetsPorts } from './make-facets.js';
import type { ModelGate } from './model-gate.js';

interface AnswerMakeFacetsPorts extends Pick<MakeFacetsPorts, 'onCall' | 'ownModel'> {
  model: FacetModel;
  /** Shared with the worker: together they ask no more at once than the model takes. */
  gate: ModelGate;
}

/** Makes facets for whoever asks, with nothing of them kept; it waits in line with the documents. */
export const answerMakeFacets = (requests: Requests, ports: AnswerMakeFacetsPorts): void =>
  requests.answer(makeFacets, async (identity, input) => {
    requireScope(identity, 'admin');
    const { gate, onCall, ownModel } = ports;
    const own = await ownModel?.(identity.tenant);
    const model = own ?? ports.model;
    const leave = own ? undefined : await gate.enter(false);
    const began = performance.now();
    try {
      const { facets, usage } = await model.makeFacets({ ...input, trail: [], language: null });
      const calls = model.id === 'extractive' ? 0 : 1;
      if (calls > 0) onCall?.(performance.now() - began, 'done', usage);
      return { facets, usage: { calls, ...usage } };
    } catch (error) {
      onCall?.(performance.now() - began, 'failed');
      throw error;
    } finally {
      leave?.();
    }
  });
