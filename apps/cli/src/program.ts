import { Command } from 'commander';
import { addAsk } from './commands/ask.js';
import type { AddCommand, Run } from './commands/command.js';
import { addCorrect } from './commands/correct.js';
import { addDeadLetters } from './commands/deadletters.js';
import { addDelete } from './commands/delete.js';
import { addDoctor } from './commands/doctor.js';
import { addDocuments } from './commands/documents.js';
import { addEnrich } from './commands/enrich.js';
import { addEntities } from './commands/entities.js';
import { addEvaluate } from './commands/evaluate.js';
import { addFeedback } from './commands/feedback.js';
import { addFolders } from './commands/folders.js';
import { addIngest } from './commands/ingest.js';
import { addPrompt } from './commands/prompt.js';
import { addRebuild } from './commands/rebuild.js';
import { addReconcile } from './commands/reconcile.js';
import { addRetry } from './commands/retry.js';
import { addSearch } from './commands/search.js';
import { addShow } from './commands/show.js';
import { addSimilar } from './commands/similar.js';
import { addStatus } from './commands/status.js';
import { addSummarize } from './commands/summarize.js';
import { addTune } from './commands/tune.js';
import { addUsage } from './commands/usage.js';
import type { Surroundings } from './surroundings.js';

const COMMANDS: readonly AddCommand[] = [
  addIngest,
  addFolders,
  addSearch,
  addAsk,
  addSimilar,
  addSummarize,
  addDocuments,
  addShow,
  addCorrect,
  addEntities,
  addDelete,
  addRetry,
  addEnrich,
  addPrompt,
  addFeedback,
  addStatus,
  addUsage,
  addDeadLetters,
  addReconcile,
  addRebuild,
  addDoctor,
  addEvaluate,
  addTune,
];

const NOTES = `
Examples:
  $ postmaster ingest docs/
  $ postmaster search how are paragraphs scored
  $ postmaster ask what happens when a document is deleted

The server is the one that was started last on this machine, or POSTMASTER_URL with POSTMASTER_API_KEY.
Exit codes: 0 done, 1 something failed, 2 wrong usage, 3 no server, 4 not allowed, 130 stopped.
`;

/** The commands, ready to be parsed; errors of usage are thrown as CommanderError. */
export const programOf = ({ stdout, stderr }: Surroundings, version: string, run: Run): Command => {
  const program = new Command('postmaster')
    .description('Documents in, paragraphs that answer questions out, each with its reason.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help of a command')
    .addHelpText('after', NOTES)
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
      outputError: () => {}, // told by runCli, as every other failure is
    });
  for (const add of COMMANDS) add(program, run);
  return program;
};
