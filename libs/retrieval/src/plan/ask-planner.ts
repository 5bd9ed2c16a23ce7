import { CodedError, failure, failureOf, type Notice } from '@postmaster/contracts';
import type { z } from 'zod';
import type { PlanForm, PlanModel, PlanPrompt, Usage } from './plan-model.js';

export interface PlannerPorts {
  /** Without one, rules read every request. */
  model?: PlanModel;
  /** How long a search waits for the model; 5 s. */
  modelTimeoutMs?: number;
  /** Where a failure of the model that no code foresees is to be seen: the rules stand in for it. */
  onFault?: (error: unknown) => void;
}

export interface Planner {
  /** What the calls took so far. */
  readonly cost: Usage & { modelCalls: number };
  /** The reply, or a notice that ends in `otherwise`: what is done without it. Throws only the caller's own abort. */
  ask<S extends z.ZodType>(
    prompt: PlanPrompt,
    form: PlanForm<S>,
    otherwise: string,
  ): Promise<{ reply: z.output<S> } | { notice: Notice }>;
}

/** The model for one search, each of its calls ended where it takes too long, or the caller leaves. */
export const plannerFor = ({ model, modelTimeoutMs = 5_000, onFault }: PlannerPorts, caller?: AbortSignal): Planner => {
  const cost = { modelCalls: 0, inputTokens: 0, outputTokens: 0 };
  return {
    cost,
    ask: async (prompt, form, otherwise) => {
      if (!model) return { notice: failure('MODEL_NEEDED', `No language model is configured. ${otherwise}`) };
      cost.modelCalls++;
      const late = new AbortController();
      const reason = new CodedError('MODEL_UNREACHABLE', `"${model.id}" did not plan in ${modelTimeoutMs / 1000} s.`);
      const timer = setTimeout(() => late.abort(reason), modelTimeoutMs);
      try {
        const signal = caller ? AbortSignal.any([caller, late.signal]) : late.signal;
        const { reply, usage } = await model.fill(prompt, form, signal);
        cost.inputTokens += usage.inputTokens;
        cost.outputTokens += usage.outputTokens;
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
