import { z } from 'zod';
import type { AnswerMessage } from '../client/client.js';
import { serverError } from '../client/read-answer.js';
import { Citation, Failure, Hit, Plan } from '../client/shapes.js';
import { CliError } from '../cli-error.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { Session } from '../session.js';
import { citationText } from '../terminal/citation-text.js';
import { planText } from '../terminal/plan-text.js';
import { printable } from '../terminal/printable.js';
import { warn } from '../terminal/warn.js';
import { type AddCommand, finish } from './command.js';
import { type QuestionOptions, scopeOf, withQuestionOptions } from './search-options.js';

const Event = z.discriminatedUnion('event', [
  z.object({
    event: z.literal('hits'),
    data: z.object({ hits: z.array(Hit), plan: Plan.nullish(), notices: z.array(Failure) }),
  }),
  z.object({ event: z.literal('text'), data: z.object({ text: z.string() }) }),
  z.object({ event: z.literal('citation'), data: Citation }),
  z.object({
    event: z.literal('done'),
    data: z.object({ found: z.boolean(), model: z.string(), notices: z.array(Failure) }),
  }),
  z.object({ event: z.literal('error'), data: Failure }),
]);

export interface Answered {
  query: string;
  answer: string;
  found: boolean;
  model: string;
  citations: Citation[];
  hits: Hit[];
  plan: Plan | null;
  notices: Failure[];
}

export const addAsk: AddCommand = (program, run) => {
  const command = program
    .command('ask')
    .description('An answer made of the best paragraphs, with the places that it rests on.')
    .argument('<query...>', 'the question; quotes are not needed');
  finish(withQuestionOptions(command, 5, 'how many paragraphs it may use'), [
    'ask what happens when a document is deleted',
    'ask "Hvornår udløber lejekontrakten?" --collection kontrakter',
    "ask who signed the lease --json | jq -r '.citations[].quote'",
  ]).action((words: string[], options: QuestionOptions) =>
    run(options, (session) => runAsk(session, words.join(' '), options)),
  );
};

const runAsk = async (session: Session, query: string, options: QuestionOptions): Promise<ExitCode> => {
  const { screen } = session;
  const client = await session.client();
  const events = client.ask({ query, n: options.n, ...scopeOf(options) });
  const showPlan = (plan: Plan) => screen.piece(`${planText(plan, screen)}\n\n`);
  const onText = (text: string) => screen.piece(printable(text));
  const answered = await foldAnswer(query, events, onText, options.plan ? showPlan : undefined);
  screen.piece('\n');
  const { citations } = answered;
  const sources = citations.map((citation) => citationText(citation, screen)).join('\n');
  screen.result(answered, () => (sources === '' ? '' : `\n${sources}`));
  warn(screen, answered.notices);
  return EXIT.ok;
};

/** An answer's events as one value; `onText` gets each piece of its text as it comes, `onPlan` the plan before. */
export const foldAnswer = async (
  query: string,
  events: AsyncIterable<AnswerMessage>,
  onText: (text: string) => void,
  onPlan: (plan: Plan) => void = () => undefined,
): Promise<Answered> => {
  const answer: Answered = {
    query,
    answer: '',
    found: false,
    model: '',
    citations: [],
    hits: [],
    plan: null,
    notices: [],
  };
  for await (const message of events) {
    const { event, data } = parse(message);
    if (event === 'hits') {
      answer.hits = data.hits;
      answer.plan = data.plan ?? null;
      if (answer.plan) onPlan(answer.plan);
      answer.notices.push(...data.notices);
    } else if (event === 'text') {
      answer.answer += data.text;
      onText(data.text);
    } else if (event === 'citation') answer.citations.push(data);
    else if (event === 'error') throw serverError(data.code, data.message, data.next);
    else return { ...answer, found: data.found, model: data.model, notices: [...answer.notices, ...data.notices] };
  }
  throw new CliError(
    'CONNECTION_LOST',
    'The answer broke off before its end.',
    'Ask again; look at the log of the server.',
  );
};

const parse = (message: AnswerMessage): z.infer<typeof Event> => {
  const parsed = Event.safeParse(message);
  if (parsed.success) return parsed.data;
  throw new CliError(
    'ANSWER_NOT_UNDERSTOOD',
    `The server sent "${message.event}" in an unknown form.`,
    'See that server and command line are of the same version.',
  );
};
