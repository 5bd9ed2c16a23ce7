import { requireBudget, type TenantBudgets, type TenantId } from '@postmaster/contracts';
import { type Database, publish } from '@postmaster/durable';
import { costOf } from '../cost-of.js';
import { type OwnPrompt } from '../prompt/compose-prompt.js';
import { readOwnPrompts, writeOwnPrompt } from '../rows/own-prompts.js';
import type { EnrichmentTables } from '../rows/tables.js';
import { checkOwnPrompt, type GivenPrompt } from './check-own-prompt.js';
import { composedFor, type ShownPrompt, shownPrompt } from './show-prompts.js';
import { type Tried, tryPrompt, type TryPorts } from './try-prompt.js';

export interface SetPromptPorts {
  db: Database<EnrichmentTables>;
  /** What the tenant's prompts are tried with. */
  modelsOf: (tenant: TenantId) => Promise<TryPorts>;
  budgets: TenantBudgets;
}

export interface PromptSet extends ShownPrompt {
  /** What came of trying it; null where no model is configured, or the shipped prompt counts again. */
  tried: Tried | null;
}

/**
 * Changes what a tenant has models told, after it was checked and, where a model is configured, tried once. Nothing is
 * made anew by it: it counts for paragraphs that get facets from then on, and for those that are asked for anew. With
 * `dryRun` it is tried and shown, and not kept. Throws INPUT_INVALID, PROMPT_REFUSED, BUDGET_USED and what the model does.
 */
export const setPrompt =
  (ports: SetPromptPorts) =>
  async (tenant: TenantId, by: string, given: unknown, dryRun = false): Promise<PromptSet> => {
    const { db } = ports;
    const change = checkOwnPrompt(given);
    const { task, language } = change;
    const before = await db.asTenant(tenant, async (tx) => (await readOwnPrompts(tx, task))(language));
    const next = nextPrompt(before, change);
    const tried = next ? await tryOnce(ports, tenant, change, next) : undefined;
    const own =
      dryRun || (!next && !before)
        ? next
        : await db.asTenant(tenant, (tx) => writeOwnPrompt(tx, tenant, { task, language, ...texts(next), by }));
    return { ...shownPrompt(task, language, next && own), tried: tried ?? null };
  };

const texts = (own: OwnPrompt | undefined): Pick<OwnPrompt, 'instructions' | 'rules'> => ({
  instructions: own?.instructions ?? null,
  rules: own?.rules ?? null,
});

/** Undefined where nothing is left of the tenant's own. */
const nextPrompt = (before: OwnPrompt | undefined, { instructions, rules }: GivenPrompt): OwnPrompt | undefined => {
  const kept = texts(before);
  const next = {
    version: (before?.version ?? 0) + 1,
    instructions: instructions === undefined ? kept.instructions : instructions,
    rules: rules === undefined ? kept.rules : rules,
  };
  return next.instructions === null && next.rules === null ? undefined : next;
};

const tryOnce = async (
  { db, modelsOf, budgets }: SetPromptPorts,
  tenant: TenantId,
  { task, language }: GivenPrompt,
  next: OwnPrompt,
): Promise<Tried | undefined> => {
  await requireBudget(budgets, tenant);
  const tried = await tryPrompt(await modelsOf(tenant), task, language, composedFor(task, language, next));
  if (!tried) return undefined;
  const { model, usage } = tried;
  await db.asTenant(tenant, (tx) =>
    publish(tx, tenant, 'model.called', costOf(task, { document: '', version: 0 }, model, usage)),
  );
  budgets.spent(tenant, usage);
  return tried;
};
