import { CodedError, hashOf, type SearchSettings } from '@postmaster/contracts';
import type { AnswerModel } from '../answer-model.js';
import { checkFilter, checkFirst, checkOptions, checkQuestion } from '../check-request.js';
import type { SearchRequest } from '../search.js';
import { withSettings } from '../search-settings.js';

/**
 * One key for all requests that ask the same of the same model. Undefined for one that wants to be answered anew, and
 * for one that will be refused.
 */
export const answerKey = (
  request: SearchRequest,
  settings: SearchSettings,
  model: AnswerModel | undefined,
): string | undefined => {
  try {
    const options = withSettings(checkOptions(request.options), settings);
    if (options.fresh) return undefined;
    const query = checkQuestion(request.query);
    const first = checkFirst(request.first ?? undefined);
    const same = { ...request, query, first, filter: checkFilter(request.filter), options };
    return hashOf(JSON.stringify(same), model?.id ?? '', model?.promptVersion ?? '');
  } catch (error) {
    if (error instanceof CodedError) return undefined;
    throw error;
  }
};
