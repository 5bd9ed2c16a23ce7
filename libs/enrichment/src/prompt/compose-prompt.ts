import { hashOf } from '@postmaster/contracts';
import type { Genre } from './genre.js';
import { fillPlaceholders } from './placeholders.js';
import { type PromptTask, promptLanguage } from './prompt-tasks.js';
import { shippedPrompts } from './shipped-prompts.js';

/** What a task's model is told, ready for any text of one language and genre. */
export interface TaskPrompt {
  /** "facets-3/da/contract-1@9f2c41aa": task and version, language, genre and its version, and a hash of all its words. */
  version: string;
  /** The same for every text of the language and genre, so that a provider's prompt cache holds it. */
  system: string;
  sections: Readonly<Record<string, string>>;
}

/** What a tenant says in place of, or beside, what the shipped prompt of a task and language does. */
export interface OwnPrompt {
  /** Counts up with each change. */
  version: number;
  /** In place of the shipped ones, with the same placeholders. */
  instructions: string | null;
  /** Added to the instructions. */
  rules: string | null;
}

export interface PromptChoice {
  /** ISO 639-1; null where it isn't known. */
  language: string | null;
  genre?: Genre;
  /** Of the tenant, for this task and the language that the prompt is written in. */
  own?: OwnPrompt;
  /** What the placeholders of this task stand for, that are the same for every text. */
  values?: Readonly<Record<string, string>>;
}

/** The prompt for a task, in the language that it is written in for texts of this language. */
export const composePrompt = (task: PromptTask, { language, genre, own, values = {} }: PromptChoice): TaskPrompt => {
  const written = promptLanguage(language);
  const { version, sections } = shippedPrompts().file(task, written);
  const block = genre && shippedPrompts().genre(task, written, genre);
  const parts = { data: sections.data ?? '', reply: sections.reply ?? '', examples: sections.examples ?? '' };
  const filled = Object.fromEntries(
    Object.entries(parts).map(([name, text]) => [name, fillPlaceholders(text, values)]),
  );
  const system = [
    fillPlaceholders(own?.instructions ?? sections.instructions ?? '', {
      ...values,
      ...filled,
      genre: block?.sections.genre ?? '',
    }),
    ...(own?.rules ? [fillPlaceholders(sections.own_rules ?? '', { rules: own.rules })] : []),
  ].join('\n\n');
  const name = own ? `${task}-${version}+own-${own.version}` : `${task}-${version}`;
  const words = hashOf(system, JSON.stringify(sections)).slice(0, 8);
  const place = [name, written, ...(block ? [`${block.genre}-${block.version}`] : [])].join('/');
  return { version: `${place}@${words}`, system, sections };
};

/** "facets-3": the shipped prompt of a task, whatever the language. */
export const promptName = (task: PromptTask): string => `${task}-${shippedPrompts().file(task, 'en').version}`;
