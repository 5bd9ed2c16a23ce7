import { CodedError, PLAN_FIELDS, type PlanCondition, Reading } from '@postmaster/contracts';

const TYPES: Record<PlanCondition['field'], string> = {
  collection: 'oneOf: list of texts',
  'source-type': 'oneOf: list of texts',
  'content-type': 'oneOf: list of texts',
  language: 'oneOf: list of ISO 639-1 codes',
  created: 'from, to: ISO 8601 dates',
  added: 'from, to: ISO 8601 dates',
  title: 'allOf: list of words',
  metadata: 'key: text, equals: text, number or boolean',
};

/** A plan that was sent back, its dates in UTC. Throws FILTER_INVALID for a condition, INPUT_INVALID for what else is wrong. */
export const checkReading = (plan: unknown): Reading => {
  const parsed = Reading.safeParse(plan);
  if (parsed.success) return { ...parsed.data, conditions: parsed.data.conditions.map(inUtc) };
  const [issue] = parsed.error.issues;
  const path = (issue?.path ?? []).map(String).join('.');
  const field = `options.plan${path && `.${path}`}`;
  if (!path.startsWith('conditions')) throw new CodedError('INPUT_INVALID', `${field}: ${issue?.message}.`, { field });
  const known = PLAN_FIELDS.map((name) => `${name} (${TYPES[name]})`).join('; ');
  throw new CodedError('FILTER_INVALID', `${field}: ${issue?.message}. Known fields: ${known}.`, { field });
};

const inUtc = (condition: PlanCondition): PlanCondition =>
  condition.field === 'created' || condition.field === 'added'
    ? {
        ...condition,
        ...(condition.from && { from: new Date(condition.from).toISOString() }),
        ...(condition.to && { to: new Date(condition.to).toISOString() }),
      }
    : condition;
