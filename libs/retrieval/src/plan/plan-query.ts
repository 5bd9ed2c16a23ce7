import {
  CodedError,
  type KnownValues,
  type Notice,
  type PlanCost,
  type QueryPlan,
  type Reading,
  type SearchOptions,
  type TenantId,
} from '@postmaster/contracts';
import { type Planner, type PlannerPorts, plannerFor } from './ask-planner.js';
import { checkReading } from './check-reading.js';
import type { ReadKnownValues } from './known-values.js';
import { planPrompt, variationsPrompt } from './plan-prompt.js';
import { PLAN_FORM, VARIATIONS_FORM } from './plan-reply.js';
import { questionKind } from './question-kind.js';
import { readByModel } from './read-by-model.js';
import { readByRules } from './read-by-rules.js';
import { type Varied, varyByModel, varyByRules } from './vary-request.js';

export interface PlanPorts extends PlannerPorts {
  known: ReadKnownValues;
  languageOf: (text: string) => string | null;
  /** What dates are relative to. */
  today?: () => Date;
}

export interface Planned {
  planning: QueryPlan['planning'];
  reading: Reading;
  notices: Notice[];
  cost: PlanCost;
  /** A model's reply in it was made before. */
  cached: boolean;
}

type PlanOptions = Pick<SearchOptions, 'planning' | 'plan' | 'questions' | 'hypothetical' | 'fresh'>;
type Read = Pick<Planned, 'planning' | 'reading' | 'notices'>;

/** Who reads a request where the caller does not say: docs/decisions/0012-query-plan.md */
const DEFAULT_PLANNING = 'rules';

/**
 * How a request is searched for. A plan that was sent back is only checked. A model that is late, refuses or answers in
 * another form leaves the rules' reading, with a notice; so does an ingestion service that does not say what there is,
 * without conditions. Throws FILTER_INVALID, INPUT_INVALID for a plan that was sent back, and the caller's own abort.
 */
export const planQuery = (ports: PlanPorts) => {
  const { today = () => new Date(), now = () => performance.now(), languageOf } = ports;

  const read = async (
    planner: Planner,
    request: string,
    planning: NonNullable<PlanOptions['planning']>,
    known: () => Promise<KnownValues>,
  ): Promise<Read> => {
    if (planning === 'none') return { planning, reading: plainReading(request), notices: [] };
    const date = today();
    const { reading, settle } = readByRules(request, date);
    if (!settle && planning === 'rules') return { planning, reading, notices: [] };
    const there = await orNotice(known());
    if ('notice' in there) return { planning: 'rules', reading, notices: [there.notice] };
    const byRules = () => settle?.(there.known) ?? reading;
    if (planning === 'rules') return { planning, reading: byRules(), notices: [] };
    const told = { ...there.known, metadataKeys: Object.keys(there.known.metadata) };
    const asked = await planner.ask(planPrompt(request, date, told), PLAN_FORM, 'Rules planned the search.');
    return 'reply' in asked
      ? { planning, reading: readByModel(asked.reply, request, there.known, reading), notices: [] }
      : { planning: 'rules', reading: byRules(), notices: [asked.notice] };
  };

  const vary = async (planner: Planner, request: string, options: PlanOptions): Promise<Varied> => {
    const wanted = { questions: options.questions ?? 0, hypothetical: options.hypothetical ?? false };
    if (wanted.questions === 0 && !wanted.hypothetical) return { variations: [], notices: [] };
    const byRules = varyByRules(request, questionKind(request), wanted);
    if (!ports.model) return byRules;
    const prompt = variationsPrompt(request, { ...wanted, language: languageOf(request) });
    const asked = await planner.ask(prompt, VARIATIONS_FORM, 'The search goes without what the model was to write.');
    return 'reply' in asked
      ? { variations: varyByModel(asked.reply, wanted), notices: [] }
      : { variations: byRules.variations, notices: [asked.notice] };
  };

  return async (
    tenant: TenantId,
    token: string,
    request: string,
    options: PlanOptions,
    signal?: AbortSignal,
  ): Promise<Planned> => {
    const began = now();
    const planner = plannerFor(ports, { tenant, fresh: options.fresh, signal });
    const planned = ({ planning, reading, notices }: Read): Planned => {
      const cost = { ...planner.cost, texts: 1 + reading.variations.length, tookMs: now() - began };
      return { planning, reading, notices, cost, cached: planner.cached };
    };
    if (options.plan !== undefined && options.plan !== null)
      return planned({ planning: 'given', reading: checkReading(options.plan), notices: [] });
    const known = () => ports.known(tenant, token);
    const [{ planning, reading, notices }, { variations, notices: said }] = await Promise.all([
      read(planner, request, options.planning ?? DEFAULT_PLANNING, known),
      vary(planner, request, options),
    ]);
    return planned({ planning, reading: { ...reading, variations }, notices: [...notices, ...said] });
  };
};

/** What there is, or that it could not be told; what no code foresees is thrown. */
const orNotice = async (known: Promise<KnownValues>): Promise<{ known: KnownValues } | { notice: Notice }> => {
  try {
    return { known: await known };
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    const { code, message, next } = error.toFailure();
    const without = 'The request is searched for by its words, without conditions.';
    return { notice: { code, message: `${message} ${without}`, next } };
  }
};

/** A reading that leaves a request as it is. */
const plainReading = (request: string): Reading => ({
  kind: questionKind(request),
  searchText: request,
  keywords: [],
  entities: [],
  dates: [],
  conditions: [],
  favour: {},
  variations: [],
});
