import type { PlanCondition } from '@postmaster/contracts';

/** A condition in words, as in: created from 2026-10-01 to before 2026-11-01 ("last October"). */
export const describeCondition = (condition: PlanCondition): string => {
  const said = condition.words === '' ? '' : ` ("${condition.words}")`;
  return `${conditionText(condition)}${said}`;
};

const conditionText = (condition: PlanCondition): string => {
  switch (condition.field) {
    case 'created':
    case 'added': {
      const from = condition.from ? ` from ${dayOf(condition.from)}` : '';
      return `${condition.field}${from}${condition.to ? ` to before ${dayOf(condition.to)}` : ''}`;
    }
    case 'title':
      return `title holding ${condition.allOf.join(', ')}`;
    case 'metadata':
      return `${condition.key} = ${String(condition.equals)}`;
    default:
      return `${condition.field.replace('-', ' ')} ${condition.oneOf.join(' or ')}`;
  }
};

const dayOf = (date: string): string => date.replace(/T00:00(:00(\.0+)?)?Z$/, '');
