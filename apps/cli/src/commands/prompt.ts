import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Argument, type Command } from 'commander';
import { usage } from '../cli-error.js';
import { PROMPT_LANGUAGES, PROMPT_TASKS, type PromptChange, readPrompts, setPrompt } from '../client/prompts.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { Session } from '../session.js';
import { promptList, promptText } from '../terminal/prompt-text.js';
import { type AddCommand, finish } from './command.js';

interface SetOptions {
  instructions?: string;
  rules?: string;
  dryRun?: boolean;
  json?: boolean;
}

const which = (command: Command, isNeeded: boolean): Command => {
  const [open, close] = isNeeded ? '<>' : '[]';
  return command
    .addArgument(new Argument(`${open}task${close}`, 'what models are asked for').choices(PROMPT_TASKS))
    .addArgument(
      new Argument(
        `${open}language${close}`,
        'that it is written in; texts of all but Danish are asked about in English',
      ).choices(PROMPT_LANGUAGES),
    );
};

export const addPrompt: AddCommand = (program, run) => {
  const group = program
    .command('prompt')
    .description("What models are told before a text, and the tenant's own of it.");
  const show = which(group.command('show').description('Show all of them, or one as a model reads it.'), false);
  finish(show, ['prompt show', 'prompt show facets da']).action(
    (task: string | undefined, language: string | undefined, options: { json?: boolean }) =>
      run(options, (session) => runShow(session, task, language)),
  );
  const set = which(
    group
      .command('set')
      .description('Change it, once it was checked and tried. What was made before stays until `postmaster enrich`.'),
    true,
  )
    .option('-i, --instructions <file>', "in place of the product's; with {{data}} and {{reply}}")
    .option('-r, --rules <file>', 'told after the instructions')
    .option('-n, --dry-run', 'check, try and show it, and change nothing');
  finish(set, ['prompt set facets da --rules rules.md --dry-run', 'prompt set facets en -i legal.md']).action(
    (task: string, language: string, options: SetOptions) =>
      run(options, (session) => runSet(session, { task, language }, options)),
  );
  const reset = which(group.command('reset').description("Go back to the product's."), true);
  finish(reset, ['prompt reset facets da']).action((task: string, language: string, options: { json?: boolean }) =>
    run(options, (session) => change(session, { task, language, instructions: null, rules: null })),
  );
};

const runShow = async (session: Session, task?: string, language?: string): Promise<ExitCode> => {
  const all = await readPrompts(await session.client());
  const prompts = all.filter((one) => (!task || one.task === task) && (!language || one.language === language));
  const [one] = prompts;
  if (one && language) session.screen.result(one, () => promptText(one));
  else session.screen.result(prompts, () => promptList(prompts, session.screen.columns));
  return EXIT.ok;
};

const runSet = async (
  session: Session,
  which: Pick<PromptChange, 'task' | 'language'>,
  { instructions, rules, dryRun = false }: SetOptions,
): Promise<ExitCode> => {
  if (!instructions && !rules) throw usage('Nothing is to be set.', 'Name a file: --instructions or --rules.');
  const read = (file: string): Promise<string> => readFile(resolve(session.surroundings.cwd, file), 'utf8');
  return change(session, {
    ...{ ...which, dryRun },
    ...(instructions && { instructions: await read(instructions) }),
    ...(rules && { rules: await read(rules) }),
  });
};

const change = async (session: Session, given: PromptChange): Promise<ExitCode> => {
  const prompt = await setPrompt(await session.client(), given);
  session.screen.result(prompt, () => promptText(prompt));
  return EXIT.ok;
};
