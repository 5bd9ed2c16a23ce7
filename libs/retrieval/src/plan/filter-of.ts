import type { PlanCondition, SearchFilter } from '@postmaster/contracts';

const LISTS = {
  collection: 'collections',
  'source-type': 'sourceTypes',
  'content-type': 'contentTypes',
  language: 'languages',
} as const;

/** The caller's filter with a plan's conditions. A field that the caller's names is the caller's alone. */
export const filterOf = (
  own: SearchFilter | undefined,
  conditions: readonly PlanCondition[],
): SearchFilter | undefined => {
  const filter: SearchFilter = { ...own };
  for (const condition of conditions)
    switch (condition.field) {
      case 'collection':
      case 'source-type':
      case 'content-type':
      case 'language':
        filter[LISTS[condition.field]] ??= condition.oneOf;
        break;
      case 'created':
        if (!own?.createdFrom && !own?.createdTo) narrow(filter, 'createdFrom', 'createdTo', condition);
        break;
      case 'added':
        if (!own?.addedFrom && !own?.addedTo) narrow(filter, 'addedFrom', 'addedTo', condition);
        break;
      case 'title':
        if (!own?.titleWords) filter.titleWords = [...(filter.titleWords ?? []), ...condition.allOf].slice(0, 20);
        break;
      case 'metadata':
        if (!own?.metadata?.some(({ key }) => key === condition.key))
          filter.metadata = [...(filter.metadata ?? []), { key: condition.key, value: condition.equals }];
    }
  return Object.keys(filter).length > 0 ? filter : undefined;
};

type From = 'createdFrom' | 'addedFrom';
type To = 'createdTo' | 'addedTo';

/** Two periods of one field must both hold. Dates of plans are in UTC and of one form, so they compare as texts. */
const narrow = (
  filter: SearchFilter,
  fromName: From,
  toName: To,
  { from, to }: { from?: string; to?: string },
): void => {
  const [later, earlier] = [filter[fromName], filter[toName]];
  if (from) filter[fromName] = later && later > from ? later : from;
  if (to) filter[toName] = earlier && earlier < to ? earlier : to;
};
