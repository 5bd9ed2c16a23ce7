import { makeFacets, requireBudget, requireScope, type Requests } from '@postmaster/contracts';
import type { FacetModel } from './facet-model.js';
import type { MakeFacetsPorts } from './make-facets.js';
import { publish } from '@postmaster/durable';
import { costOf } from './cost-of.js';
import type { ModelGate } from './model-gate.js';
import { facetInstructions } from './prompt/facet-prompt.js';
import { readOwnPrompts } from './rows/own-prompts.js';

interface AnswerMakeFacetsPorts extends Pick<MakeFacetsPorts, 'db' | 'budgets' | 'onCall' | 'ownModel'> {
  model: FacetModel;
  /** Shared with the worker: together they ask no more at once than the model takes. */
  gate: ModelGate;
}

/** Makes facets for whoever asks, with nothing of them kept; it waits in line with the documents. */
export const answerMakeFacets = (requests: Requests, ports: AnswerMakeFacetsPorts): void =>
  requests.answer(makeFacets, async (identity, input) => {
    requireScope(identity, 'admin');
    const { db, budgets, gate, onCall, ownModel } = ports;
    const { tenant } = identity;
    const own = await ownModel?.(identity.tenant);
    const model = own ?? ports.model;
    const isPaid = model.id !== 'extractive';
    if (isPaid) await requireBudget(budgets, tenant);
    const leave = own ? undefined : await gate.enter('bulk', 'facets');
    const began = performance.now();
    try {
      const ownPrompt = await db.asTenant(tenant, (tx) => readOwnPrompts(tx, 'facets'));
      const about = { ...input, trail: [], language: null };
      const prompt = isPaid ? facetInstructions(about, ownPrompt) : undefined;
      const { facets, usage } = await model.makeFacets({ ...about, prompt });
      const calls = isPaid ? 1 : 0;
      if (isPaid) {
        await db.asTenant(tenant, (tx) =>
          publish(tx, tenant, 'model.called', costOf('facets', { document: '', version: 0 }, facets.model, usage)),
        );
        budgets?.spent(tenant, usage);
        onCall?.(performance.now() - began, 'done', usage, facets.model);
      }
      return { facets, usage: { calls, inputTokens: usage.inputTokens, outputTokens: usage.outputTokens } };
    } catch (error) {
      onCall?.(performance.now() - began, 'failed');
      throw error;
    } finally {
      leave?.();
    }
  });
