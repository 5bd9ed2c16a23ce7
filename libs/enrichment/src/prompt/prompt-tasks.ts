import type { PlaceholderRule } from './placeholders.js';

export const PROMPT_TASKS = ['facets', 'metadata', 'entities'] as const;
export type PromptTask = (typeof PROMPT_TASKS)[number];

/** Languages that prompts are written in; all others are asked for through English. */
export const PROMPT_LANGUAGES = ['en', 'da'] as const;
export type PromptLanguage = (typeof PROMPT_LANGUAGES)[number];

export const promptLanguage = (language: string | null): PromptLanguage =>
  PROMPT_LANGUAGES.find((one) => one === language) ?? 'en';

/** Every task's: whoever writes instructions leaves in place what marks texts as data, and the form of the reply. */
const SECTIONS = {
  instructions: { needs: ['data', 'reply'], may: ['examples', 'genre'] },
  data: { needs: [] },
  reply: { needs: [] },
  examples: { needs: [] },
  own_rules: { needs: ['rules'] },
} as const satisfies Record<string, PlaceholderRule>;

/** The sections of a task's files, each with its placeholders. All of them are needed, and no others are known. */
export const PROMPT_SECTIONS: Record<PromptTask, Readonly<Record<string, PlaceholderRule>>> = {
  facets: {
    ...SECTIONS,
    request: { needs: ['language', 'simple', 'complex'] },
    again: { needs: [] },
  },
  metadata: {
    ...SECTIONS,
    instructions: { needs: SECTIONS.instructions.needs, may: ['examples', 'payment_methods', 'categories'] },
    reply: { needs: ['types', 'fields'] },
  },
  entities: {
    ...SECTIONS,
    instructions: { needs: SECTIONS.instructions.needs, may: ['examples'] },
    reply: { needs: ['types', 'relations'] },
  },
};
