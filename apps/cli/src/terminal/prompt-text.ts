import type { Prompt } from '../client/prompts.js';
import { printable } from './printable.js';
import { table } from './table.js';

/** A line for each prompt. */
export const promptList = (prompts: readonly Prompt[], columns: number | undefined): string =>
  table(
    [{ title: 'task' }, { title: 'language' }, { title: 'version', shrinks: true }, { title: 'whose' }],
    prompts.map(({ task, language, version, isOwn }) => [
      task,
      language,
      version,
      isOwn ? "the tenant's" : "the product's",
    ]),
    columns,
  );

/** What a model is told, and what came of trying it. */
export const promptText = ({ version, system, tried }: Prompt): string =>
  [`${version}:`, '', printable(system), ...(tried ? ['', ...triedText(tried)] : [])].join('\n');

const triedText = ({ model, facets }: NonNullable<Prompt['tried']>): string[] => {
  if (!facets) return [`${model} answered in the right form.`];
  const questions = [...facets.simpleQuestions, ...facets.complexQuestions].map(({ text }) => text);
  const lines = [...questions, facets.context, facets.scope].filter((line) => line !== '');
  return [`${model} wrote of a sample:`, ...lines.map((line) => `  ${printable(line)}`)];
};
