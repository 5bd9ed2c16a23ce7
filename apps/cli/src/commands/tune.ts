import { resolve } from 'node:path';
import { checkLargeEnough, type EvaluationSet, SetTooSmallError, tuneWeights } from '@postmaster/evaluation';
import { readTenant, storeWeights } from '../client/search-settings.js';
import { usage } from '../cli-error.js';
import { commitOf } from '../evaluate/commit-of.js';
import { measure } from '../evaluate/measure.js';
import { setIn } from '../evaluate/set-in.js';
import { withServer } from '../evaluate/with-server.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { Session } from '../session.js';
import { tuneText } from '../terminal/tune-text.js';
import { type AddCommand, finish, wholeNumber } from './command.js';

interface Options {
  seed: number;
  apply?: boolean;
  json?: boolean;
}

export const addTune: AddCommand = (program, run) => {
  const command = program
    .command('tune')
    .description(
      'Fit the weights of the legs to judged questions, and say whether they beat the default on questions that the fit has not seen. Ends with 1 where they do not.',
    )
    .argument('<dir>', 'a set as for evaluate, with at least 50 questions over 5 documents')
    .option('--seed <number>', 'of all that is chosen by chance', wholeNumber(0, 2 ** 31 - 1), 1)
    .option('--apply', "have them count for the key's tenant where they beat the default");
  finish(command, [
    'tune sets/contracts',
    "tune sets/contracts --json | jq '.weights'",
    'feedback export judged && postmaster tune judged --apply',
  ]).action((dir: string, options: Options) => run(options, (session) => runTune(session, dir, options)));
};

const runTune = async (session: Session, dir: string, { seed, apply = false }: Options): Promise<ExitCode> => {
  const { surroundings, screen } = session;
  const set = await setIn(resolve(surroundings.cwd, dir));
  refuseSmall(set);
  const tenant = apply ? await readTenant(await session.client()) : null; // no server of its own keeps what it is told
  const measured = await withServer(session, (place) =>
    measure(session, place, set, { ways: ['composite'], seed, candidates: true }),
  );
  screen.remark(`Fitting to ${set.queries.length} questions: a minute or so for a thousand of them.`);
  const report = tuneWeights(measured, { seed, commit: await commitOf() });
  const better = report.verdict === 'better';
  if (better && tenant) await storeWeights(await session.client(), report.weights);
  const appliedTo = better && tenant ? tenant.id : null;
  screen.result({ ...report, appliedTo }, () => tuneText(report, appliedTo, screen));
  return better ? EXIT.ok : EXIT.failed;
};

const refuseSmall = (set: EvaluationSet): void => {
  try {
    checkLargeEnough(set);
  } catch (error) {
    if (!(error instanceof SetTooSmallError)) throw error;
    throw usage(error.message, 'Judge more questions, of more documents.', 'SET_TOO_SMALL');
  }
};
