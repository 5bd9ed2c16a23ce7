import { hashOf } from '@postmaster/contracts';
import type { FacetInput, FacetModel } from './facet-model.js';

/** Names everything that a reply depends on: the whole input, the prompt's version and the model. */
export const inputHash = (model: Pick<FacetModel, 'id' | 'promptVersion'>, input: FacetInput): string =>
  hashOf(
    model.id,
    input.prompt?.version ?? model.promptVersion,
    input.title,
    JSON.stringify(input.trail),
    input.before,
    input.text,
    input.after,
    input.language ?? '',
    ...(input.mayQuote === false ? ['unquoted'] : []),
    ...(input.rejected ? ['again', JSON.stringify(input.rejected)] : []),
  );
