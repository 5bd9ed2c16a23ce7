import { moneyOf } from '@postmaster/contracts';
import { z } from 'zod';
import { type Client } from '../client/client.js';
import { MODEL_PRICE, MODELS } from '../client/operations.js';
import { FacetModel } from '../client/shapes.js';
import { CliError } from '../cli-error.js';
import { EXIT } from '../exit-codes.js';
import type { Session } from '../session.js';
import { askYes } from '../terminal/ask-yes.js';
import { count, roughly } from '../terminal/figures.js';
import type { Estimate } from './estimate.js';

/** More calls than this to a model that is not on this machine are begun only with a yes. */
export const ASK_ABOVE = 1_000;
const PARAGRAPH_WORDS = 120;

export const Models = z.object({
  facetModel: FacetModel.nullable(),
  tenant: z.object({ paragraphWords: z.number() }).nullable(),
});

const ModelPrice = z.object({
  modelPrice: z.object({ currency: z.string(), input: z.number(), output: z.number() }).nullable(),
});

/** `money`: null where the model's price is not known. */
export type Priced = Estimate & { money: { amount: number; currency: string } | null };

export interface Expected {
  model: FacetModel | null;
  /** null where the model's calls cost nothing, or it could not be asked which one it is. */
  estimate: Priced | null;
}

/** What enriching will ask of a remote model, and cost. */
export const expectCalls = async (
  client: Client,
  estimateFor: (paragraphWords: number, readsEntities: boolean) => Estimate,
): Promise<Expected> => {
  const { facetModel, tenant } = (await client.query(Models, MODELS)).data;
  if (!facetModel?.remote) return { model: facetModel, estimate: null };
  const estimate = estimateFor(tenant?.paragraphWords ?? PARAGRAPH_WORDS, facetModel.readsEntities);
  const { modelPrice } = (await client.query(ModelPrice, MODEL_PRICE, { model: facetModel.id })).data;
  const amount = moneyOf(modelPrice ?? undefined, { ...estimate, cachedTokens: 0 });
  const money = modelPrice && amount !== undefined ? { amount, currency: modelPrice.currency } : null;
  return { model: facetModel, estimate: { ...estimate, money } };
};

/** Says what is expected, and asks above the limit. Throws where the answer is no, or nobody is there to give one. */
export const approveCalls = async (session: Session, { model, estimate }: Expected, yes: boolean): Promise<void> => {
  if (!estimate || !model) return;
  session.screen.remark(expectedText(model, estimate));
  if (estimate.calls <= ASK_ABOVE || yes) return;
  const question = `${model.id} would get about ${count(roughly(estimate.calls), 'call')}. Go on?`;
  if (!(await askYes(session.surroundings, question)))
    throw new CliError(
      'NOT_AGREED',
      'Nothing was sent.',
      'Take fewer documents, or a model on this machine.',
      EXIT.failed,
    );
};

export const expectedText = (model: FacetModel, expected: Priced): string => {
  const { calls, inputTokens, outputTokens, tasks, money, how } = expected;
  const parts = Object.entries(tasks)
    .filter(([, task]) => task.calls > 0)
    .map(([name, task]) => `${roughly(task.calls)} for ${name}`);
  const cost = money
    ? `${money.currency} ${roughly(money.amount)}`
    : 'money that is not known (no price is set for it)';
  return (
    `${model.id} is not on this machine. Expected: about ${count(roughly(calls), 'call')} (${parts.join(', ')}), ` +
    `${count(roughly(inputTokens), 'token')} in and ${count(roughly(outputTokens), 'token')} out, ${cost}; ${how}. ` +
    'What is unchanged takes none.'
  );
};
