import type { TenantId } from '@postmaster/contracts';
import type { Database } from '@postmaster/durable';
import { entityInstructions } from '../entities/entity-prompt.js';
import { metadataInstructions } from '../metadata/metadata-prompt.js';
import { composePrompt, type OwnPrompt, type TaskPrompt } from '../prompt/compose-prompt.js';
import {
  PROMPT_LANGUAGES,
  PROMPT_SECTIONS,
  PROMPT_TASKS,
  type PromptLanguage,
  type PromptTask,
} from '../prompt/prompt-tasks.js';
import { shippedPrompts } from '../prompt/shipped-prompts.js';
import { readOwnPrompts } from '../rows/own-prompts.js';
import type { EnrichmentTables } from '../rows/tables.js';

/** What models are told for a task and for texts that are asked about in this language. */
export interface ShownPrompt {
  task: PromptTask;
  language: PromptLanguage;
  /** Of a document that is taken for no genre. */
  version: string;
  /** The tenant's, where it has its own; with placeholders. */
  instructions: string;
  /** The tenant's. */
  rules: string | null;
  /** Something of it is the tenant's own. */
  isOwn: boolean;
  /** Those that instructions have to have, and those that they may have. */
  needs: readonly string[];
  may: readonly string[];
  /** All that a model is told before a text, its placeholders filled. */
  system: string;
}

/** Every task in every language that prompts are written in. */
export const showPrompts =
  (db: Database<EnrichmentTables>) =>
  (tenant: TenantId): Promise<ShownPrompt[]> =>
    db.asTenant(tenant, async (tx) => {
      const shown: ShownPrompt[] = [];
      for (const task of PROMPT_TASKS) {
        const ownPrompt = await readOwnPrompts(tx, task);
        for (const language of PROMPT_LANGUAGES) shown.push(shownPrompt(task, language, ownPrompt(language)));
      }
      return shown;
    });

export const shownPrompt = (task: PromptTask, language: PromptLanguage, own: OwnPrompt | undefined): ShownPrompt => {
  const { sections } = shippedPrompts().file(task, language);
  const { version, system } = composedFor(task, language, own);
  const { needs = [], may = [] } = PROMPT_SECTIONS[task].instructions ?? {};
  return {
    ...{ task, language, version, system, needs, may },
    instructions: own?.instructions ?? sections.instructions ?? '',
    rules: own?.rules ?? null,
    isOwn: own !== undefined,
  };
};

const INSTRUCTIONS: Record<PromptTask, (language: PromptLanguage, own?: OwnPrompt) => TaskPrompt> = {
  facets: (language, own) => composePrompt('facets', { language, own }),
  metadata: metadataInstructions,
  entities: entityInstructions,
};

export const composedFor = (task: PromptTask, language: PromptLanguage, own: OwnPrompt | undefined): TaskPrompt =>
  INSTRUCTIONS[task](language, own);
