import { z } from 'zod';
import { USAGE } from '../client/operations.js';
import { Failure } from '../client/shapes.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { Session } from '../session.js';
import { table } from '../terminal/table.js';
import { type AddCommand, finish } from './command.js';

const Entry = z.object({
  task: z.string().nullable(),
  model: z.string().nullable(),
  document: z.string().nullable(),
  calls: z.number(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  cachedTokens: z.number(),
  money: z.number(),
  unpriced: z.number(),
});
const Budget = z.object({ tokensPerMonth: z.number().nullable(), moneyPerMonth: z.number().nullable() });
const Usage = z.object({
  month: z.string(),
  currency: z.string(),
  total: Entry,
  entries: z.array(Entry),
  budget: Budget,
  paused: Failure.nullable(),
});
type Usage = z.infer<typeof Usage>;
const Answer = z.object({ usage: Usage });

interface Options {
  month?: string;
  documents?: boolean;
  json?: boolean;
}

export const addUsage: AddCommand = (program, run) => {
  const command = program
    .command('usage')
    .description('What language models took this month: calls, tokens, money, and how far the budget goes.')
    .option('-m, --month <month>', 'another month, as 2026-11')
    .option('-d, --documents', 'by document');
  finish(command, ['usage', 'usage --month 2026-10', "usage --json | jq '.total.money'"]).action((options: Options) =>
    run(options, (session) => runUsage(session, options)),
  );
};

const runUsage = async (session: Session, { month, documents }: Options): Promise<ExitCode> => {
  const client = await session.client();
  const by = documents ? ['DOCUMENT', 'TASK', 'MODEL'] : ['TASK', 'MODEL'];
  const { usage } = (await client.query(Answer, USAGE, { month, by })).data;
  session.screen.result(usage, () => usageText(usage, session.screen.columns));
  return EXIT.ok;
};

export const usageText = (usage: Usage, columns: number | undefined): string => {
  const { month, currency, total, entries, budget, paused } = usage;
  const money = (amount: number): string => `${currency} ${amount.toFixed(2)}`;
  const row = (name: string, entry: z.infer<typeof Entry>): string[] => [
    ...[name, String(entry.calls), String(entry.inputTokens), String(entry.cachedTokens), String(entry.outputTokens)],
    entry.unpriced > 0 ? `${money(entry.money)} and ${entry.unpriced} calls of unknown price` : money(entry.money),
  ];
  const named = entries.map((one) => row([one.document, one.task, one.model].filter(Boolean).join(' '), one));
  const numbers = ['calls', 'tokens in', 'from cache', 'tokens out', 'money'].map((title) => ({ title, right: true }));
  const limits = [
    ...(budget.tokensPerMonth === null ? [] : [`${budget.tokensPerMonth} tokens`]),
    ...(budget.moneyPerMonth === null ? [] : [money(budget.moneyPerMonth)]),
  ];
  return [
    table([{ title: month, shrinks: true }, ...numbers], [...named, row('all', total)], columns),
    `Budget: ${limits.join(' and ') || 'none'}.`,
    ...(paused ? [`${paused.message} ${paused.next}`] : []),
  ].join('\n');
};
