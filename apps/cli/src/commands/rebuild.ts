import { z } from 'zod';
import { serverError } from '../client/read-answer.js';
import { beginRebuild, readRebuild, type Rebuild } from '../client/upkeep.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { followRun } from '../follow-run.js';
import type { Session } from '../session.js';
import { askYes } from '../terminal/ask-yes.js';
import { count } from '../terminal/figures.js';
import { type AddCommand, finish } from './command.js';

interface Options {
  yes?: boolean;
  json?: boolean;
}

export const addRebuild: AddCommand = (program, run) => {
  const command = program
    .command('rebuild')
    .description(
      'Fill a new index from the stored text and facets, with the encoder that is configured now and no call of the ' +
        'language model, while the old one answers; then switch.',
    )
    .option('-y, --yes', 'do not ask');
  finish(command, ['rebuild', 'rebuild --yes --json']).action((options: Options) =>
    run(options, (session) => runRebuild(session, options)),
  );
};

const Encoder = z.object({ encoder: z.object({ id: z.string() }).nullable() });

const runRebuild = async (session: Session, { yes }: Options): Promise<ExitCode> => {
  const client = await session.client();
  if (!yes) {
    const { encoder } = (await client.query(Encoder, 'query { encoder { id } }')).data;
    const question = `Every text is encoded again${encoder ? ` with ${encoder.id}` : ''}; searches go on. Rebuild the index?`;
    if (!(await askYes(session.surroundings, question))) {
      session.screen.result({ rebuilt: false }, () => 'Nothing was changed.');
      return EXIT.failed;
    }
  }
  const done = await followRun(session, await beginRebuild(client), {
    look: (id) => readRebuild(client, id),
    ended: ({ phase }) => phase === 'DROPPING' || phase === 'DONE' || phase === 'FAILED',
    progress,
  });
  if (done.phase === 'FAILED')
    throw serverError(
      done.fault?.code ?? 'INTERNAL',
      `The new index was given up, and the old one answers as before: ${done.fault?.message ?? 'nobody said why.'}`,
      done.fault?.next,
    );
  session.screen.result(
    done,
    () => `${count(done.filled, 'paragraph')} in the new index ${done.index}, which answers now.`,
  );
  return EXIT.ok;
};

/** Comparing takes much less time than filling. */
const progress = ({ phase, total, filled, compared }: Rebuild): { fraction: number; facts: string } => {
  const of = (done: number): number => (total === 0 ? 1 : Math.min(1, done / total));
  return phase === 'COMPARING'
    ? { fraction: 0.95 + 0.05 * of(compared), facts: `${compared}/${count(total, 'paragraph')} compared` }
    : { fraction: 0.95 * of(filled), facts: `${filled}/${count(total, 'paragraph')} filled` };
};
