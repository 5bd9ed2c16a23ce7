import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Genre } from './genre.js';
import { type PromptFile, readPromptFile } from './prompt-file.js';
import { PROMPT_LANGUAGES, PROMPT_TASKS, type PromptLanguage, type PromptTask } from './prompt-tasks.js';

/** Beside `src` and `dist` alike. */
const FOLDER = fileURLToPath(new URL('../../prompts', import.meta.url));

/** The prompts that come with the product. */
export interface ShippedPrompts {
  file(task: PromptTask, language: PromptLanguage): PromptFile;
  /** What a task says of a genre; nothing of some. */
  genre(task: PromptTask, language: PromptLanguage, genre: Genre): PromptFile | undefined;
}

/** Reads every file of a folder. Throws where one is wrong, or a task lacks a language. */
export const readPrompts = (folder: string): ShippedPrompts => {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
  const files = new Map(
    names.map((name) => {
      const file = readPromptFile(name, readFileSync(`${folder}/${name}`, 'utf8'));
      return [keyOf(file.task, file.language, file.genre), file];
    }),
  );
  for (const task of PROMPT_TASKS)
    for (const language of PROMPT_LANGUAGES)
      if (!files.has(keyOf(task, language)))
        throw new Error(`There is no prompt file for ${task} in "${language}" in ${folder}.`);
  return {
    file: (task, language) => files.get(keyOf(task, language))!, // looked for above
    genre: (task, language, genre) => files.get(keyOf(task, language, genre)),
  };
};

const keyOf = (task: PromptTask, language: PromptLanguage, genre?: Genre): string => [task, language, genre].join('/');

let shipped: ShippedPrompts | undefined;

/** Read once, when first needed. */
export const shippedPrompts = (): ShippedPrompts => (shipped ??= readPrompts(FOLDER));
