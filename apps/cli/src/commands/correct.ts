import { usage } from '../cli-error.js';
import { correctMetadata, type Corrections } from '../client/metadata.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { Session } from '../session.js';
import { metadataText } from '../terminal/metadata-text.js';
import { type AddCommand, finish } from './command.js';

interface Options {
  takeBack?: string[];
  json?: boolean;
}

export const addCorrect: AddCommand = (program, run) => {
  const command = program
    .command('correct')
    .description("Correct a document's metadata by hand. It outlasts rules, models and new versions.")
    .argument('<id>', 'as `postmaster documents` gives it')
    .argument('[corrections...]', 'name=value; value is text or JSON, and nothing where the document has none')
    .option('--take-back <names...>', 'fields whose correction goes, so that what was extracted counts again');
  finish(command, [
    'correct 0197a4c2-5c7e-7d0a-b6a0-3f1d5c0e9a11 type=receipt vendor="Svane Apotek" date=2026-10-14',
    `correct 0197a4c2-5c7e-7d0a-b6a0-3f1d5c0e9a11 'amount={"minor":13845,"currency":"DKK"}' tax=`,
    'correct 0197a4c2-5c7e-7d0a-b6a0-3f1d5c0e9a11 --take-back vendor',
  ]).action((document: string, corrections: string[], options: Options) =>
    run(options, (session) =>
      runCorrect(session, { document, fields: corrections.map(fieldOf), takeBack: options.takeBack ?? [] }),
    ),
  );
};

const fieldOf = (correction: string): Corrections['fields'][number] => {
  const at = correction.indexOf('=');
  if (at < 1) throw usage(`"${correction}" is no correction.`, 'Write name=value, vendor="Svane Apotek" for one.');
  return { name: correction.slice(0, at), value: valueOf(correction.slice(at + 1)) };
};

/** Lists and objects are JSON; all else is text, a number too: that of an invoice is one. */
const valueOf = (text: string): unknown => {
  if (text === '') return null;
  if (!/^[[{]/.test(text)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw usage(`${text} is no JSON.`, 'Write amount=\'{"minor":13845,"currency":"DKK"}\' for one.');
  }
};

const runCorrect = async (session: Session, given: Corrections): Promise<ExitCode> => {
  if (given.fields.length + given.takeBack.length === 0)
    throw usage('Nothing is to be corrected.', 'Write name=value, or --take-back with a name.');
  const corrected = await correctMetadata(await session.client(), given);
  session.screen.result(corrected, () => metadataText(corrected, session.screen.paint));
  return EXIT.ok;
};
