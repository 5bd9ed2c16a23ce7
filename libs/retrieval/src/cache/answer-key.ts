import { CodedError, hashOf, type SearchSettings } from '@postmaster/contracts';
import type { AnswerModel } from '../answer-model.js';
import { checkFilter, checkFirst, checkOptions, checkQuestion } from '../check-request.js';
import type { SearchRequest } from '../search.js';
import { withSettings } from '../search-settings.js';

/**
 * One key for all requests that ask the same of the same model on the same day (UTC). Undefined for one that wants to be
 * answered anew, and for one that will be refused.
 */
export const answerKey = (
  request: SearchRequest,
  settings: SearchSettings,
  model: AnswerModel | undefined,
  today: Date,
): string | undefined => {
  try {
    const options = checkOptions(withSettings(checkOptions(request.options), settings)); // in the schema's order
    if (options.fresh) return undefined;
    const query = checkQuestion(request.query);
    const first = checkFirst(request.first ?? undefined);
    const same = { query, first, filter: checkFilter(request.filter), options };
    const day = today.toISOString().slice(0, 10); // "last October" is another one tomorrow
    return hashOf(day, JSON.stringify(same), model?.id ?? '', model?.promptVersion ?? '');
  } catch (error) {
    if (error instanceof CodedError) return undefined;
    throw error;
  }
};
