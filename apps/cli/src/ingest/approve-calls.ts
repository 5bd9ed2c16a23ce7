import { z } from 'zod';
import { type Client } from '../client/client.js';
import { MODELS } from '../client/operations.js';
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

export interface Expected {
  model: FacetModel | null;
  /** null where the model's calls cost nothing, or it could not be asked which one it is. */
  estimate: Estimate | null;
}

/** What making facets will ask of a remote model. */
export const expectCalls = async (
  client: Client,
  estimateFor: (paragraphWords: number) => Estimate,
): Promise<Expected> => {
  const { facetModel, tenant } = (await client.query(Models, MODELS)).data;
  const estimate = facetModel?.remote ? estimateFor(tenant?.paragraphWords ?? PARAGRAPH_WORDS) : null;
  return { model: facetModel, estimate };
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

export const expectedText = (model: FacetModel, { calls, inputTokens, outputTokens, how }: Estimate): string =>
  `${model.id} is not on this machine. Expected: about ${count(roughly(calls), 'call')}, ` +
  `${count(roughly(inputTokens), 'token')} in and ${count(roughly(outputTokens), 'token')} out (${how}). ` +
  'What is unchanged takes none.';
