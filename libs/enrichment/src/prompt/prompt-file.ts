import { z } from 'zod';
import { GENRES } from './genre.js';
import { placeholderFaults, type PlaceholderRule } from './placeholders.js';
import { PROMPT_LANGUAGES, PROMPT_SECTIONS, PROMPT_TASKS } from './prompt-tasks.js';

const Head = z.strictObject({
  task: z.enum(PROMPT_TASKS),
  language: z.enum(PROMPT_LANGUAGES),
  version: z.coerce.number().int().positive(),
  /** Of a block that goes into the instructions of that task and language, and has no sections. */
  genre: z.enum(GENRES).optional(),
});

export interface PromptFile extends z.output<typeof Head> {
  /** By name; of a genre's block only `genre`. */
  sections: Readonly<Record<string, string>>;
}

/**
 * Reads a prompt's file: lines of `name: value` between two of `---`, and sections that each begin with `# name`. Throws
 * where its head is wrong, or a section or a placeholder is missing or unknown, naming the file and all that is wrong.
 */
export const readPromptFile = (name: string, text: string): PromptFile => {
  const [, head, body] = /^---\n(.*?)\n---\n(.*)$/s.exec(text.replaceAll('\r\n', '\n')) ?? [];
  if (head === undefined || body === undefined)
    throw wrong(name, ['it does not begin with a head between two lines "---"']);
  const pairs = head.split('\n').map((line) => /^(\w+):\s*(.*?)\s*$/.exec(line) ?? ['', line, '']);
  const read = Head.safeParse(Object.fromEntries(pairs.map(([, key, value]) => [key, value])));
  if (!read.success)
    throw wrong(
      name,
      read.error.issues.map(({ path, message }) => `${path.join('.') || 'head'}: ${message}`),
    );
  const { task, genre } = read.data;
  const sections = genre ? { genre: body.trim() } : sectionsOf(body);
  const faults = sectionFaults(sections, genre ? { genre: { needs: [] } } : PROMPT_SECTIONS[task]);
  if (faults.length > 0) throw wrong(name, faults);
  return { ...read.data, sections };
};

const sectionsOf = (body: string): Record<string, string> => {
  const [before = '', ...parts] = body.split(/^# (\w+)\n/m);
  const named = parts.flatMap((part, at) => (at % 2 === 0 ? [[part, (parts[at + 1] ?? '').trim()]] : []));
  return Object.fromEntries(before.trim() === '' ? named : [['before the first section', before], ...named]);
};

const sectionFaults = (
  sections: Readonly<Record<string, string>>,
  rules: Readonly<Record<string, PlaceholderRule>>,
): string[] => [
  ...Object.keys(sections).flatMap((name) => (Object.hasOwn(rules, name) ? [] : [`unknown section "${name}"`])),
  ...Object.entries(rules).flatMap(([name, rule]) => {
    const text = sections[name];
    if (!text) return [`the section "${name}" is missing or empty`];
    return placeholderFaults(text, rule).map((fault) => `${name}: ${fault}`);
  }),
];

const wrong = (name: string, faults: readonly string[]): Error =>
  new Error(`The prompt file "${name}" can't be used: ${faults.join('; ')}.`);
