import type { TenantId } from '@postmaster/contracts';
import { sql, type Transaction } from 'kysely';
import type { OwnPrompt } from '../prompt/compose-prompt.js';
import { type PromptLanguage, promptLanguage, type PromptTask } from '../prompt/prompt-tasks.js';
import type { EnrichmentTables } from './tables.js';

type Tx = Transaction<EnrichmentTables>;

/** The tenant's own prompt of a task for texts of a language; undefined where the shipped one counts. */
export type OwnPromptFor = (language: string | null) => OwnPrompt | undefined;

export const readOwnPrompts = async (tx: Tx, task: PromptTask): Promise<OwnPromptFor> => {
  const rows = await tx.selectFrom('own_prompts').selectAll().where('task', '=', task).execute();
  return (language) => {
    const row = rows.find((one) => one.language === promptLanguage(language));
    return row && (row.instructions !== null || row.rules !== null) ? row : undefined;
  };
};

export interface OwnPromptChange {
  task: PromptTask;
  language: PromptLanguage;
  instructions: string | null;
  rules: string | null;
  by: string;
}

/** Its version is one more than the last one's; both null: the shipped prompt counts again. */
export const writeOwnPrompt = async (
  tx: Tx,
  tenant: TenantId,
  { task, language, instructions, rules, by }: OwnPromptChange,
): Promise<OwnPrompt> => {
  const row = { instructions, rules, changed_by: by };
  return tx
    .insertInto('own_prompts')
    .values({ tenant, task, language, version: 1, ...row })
    .onConflict((conflict) =>
      conflict
        .columns(['tenant', 'task', 'language'])
        .doUpdateSet({ ...row, version: sql<number>`own_prompts.version + 1`, changed_at: new Date() }),
    )
    .returning(['version', 'instructions', 'rules'])
    .executeTakeFirstOrThrow();
};
