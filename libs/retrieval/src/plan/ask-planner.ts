import { CodedError, failure, failureOf, hashOf, type Notice, type TenantId } from '@postmaster/contracts';
import type { z } from 'zod';
import type { PlanReplies } from '../cache/plan-replies.js';
import { type ModelLedger, onBudget } from '../ledger/model-ledger.js';
import type { PlanForm, PlanModel, PlanPrompt, Usage } from './plan-model.js';

export interface PlannerPorts {
  /** Without one, rules read every request. */
  model?: PlanModel;
  /** How long a search waits for the model; 5 s. */
  modelTimeoutMs?: number;
  /** Where a failure of the model that no code foresees is to be seen: the rules stand in for it. */
  onFault?: (error: unknown) => void;
  /** What the model replied before; it is asked each time unless told. */
  replies?: PlanReplies;
  /** Whose budget is used up is planned for by rules; nobody's, unless told. */
  ledger?: ModelLedger;
  /** Milliseconds, of the origin that `replies` has. */
  now?: () => number;
}

/** Whose search it is. */
export interface PlannerCaller {
  tenant: TenantId;
  /** No reply that was kept is taken. */
  fresh?: boolean;
  signal?: AbortSignal;
}

export interface Planner {
  /** What the calls took so far. */
  readonly cost: Usage & { modelCalls: number };
  /** A reply was one that was kept. */
  readonly cached: boolean;
  /** The reply, or a notice that ends in `otherwise`: what is done without it. Throws only the caller's own abort. */
  ask<S extends z.ZodType>(
    prompt: PlanPrompt,
    form: PlanForm<S>,
    otherwise: string,
  ): Promise<{ reply: z.output<S> } | { notice: Notice }>;
}

/** The model for one search, each of its calls ended where it takes too long, or the caller leaves. */
export const plannerFor = (
  { model, modelTimeoutMs = 5_000, onFault, replies, ledger, now = () => performance.now() }: PlannerPorts,
  { tenant, fresh, signal: caller }: PlannerCaller,
): Planner => {
  const cost = { modelCalls: 0, inputTokens: 0, outputTokens: 0 };
  let cached = false;
  return {
    cost,
    get cached() {
      return cached;
    },
    ask: async <S extends z.ZodType>(prompt: PlanPrompt, form: PlanForm<S>, otherwise: string) => {
      if (!model) return { notice: failure('MODEL_NEEDED', `No language model is configured. ${otherwise}`) };
      const key = hashOf(model.id, form.name, prompt.system, prompt.user);
      const kept = fresh ? undefined : replies?.get(tenant, key);
      if (kept !== undefined) {
        cached = true;
        return { reply: kept as z.output<S> }; // the key names the form
      }
      const began = now();
      const late = new AbortController();
      const reason = new CodedError('MODEL_UNREACHABLE', `"${model.id}" did not plan in ${modelTimeoutMs / 1000} s.`);
      const timer = setTimeout(() => late.abort(reason), modelTimeoutMs);
      try {
        const signal = caller ? AbortSignal.any([caller, late.signal]) : late.signal;
        const { reply, usage } = await onBudget(ledger, tenant, 'plans', (onPaid) => {
          cost.modelCalls++;
          return model.fill(prompt, form, signal, onPaid);
        });
        cost.inputTokens += usage.inputTokens;
        cost.outputTokens += usage.outputTokens;
        if (!fresh) replies?.set(tenant, key, reply, began);
        return { reply };
      } catch (error) {
        caller?.throwIfAborted();
        if (!(error instanceof CodedError)) onFault?.(error);
        const { code, message, next } = failureOf(error);
        return { notice: { code, message: `${message} ${otherwise}`, next } };
      } finally {
        clearTimeout(timer);
      }
    },
  };
};
