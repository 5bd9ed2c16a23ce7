import { describe, expect, it } from 'vitest';
import type { KnownValues, PlanCondition, Reading } from '@postmaster/contracts';
import { PLAN_KNOWN, PLAN_NOW, PLAN_REQUESTS } from '@postmaster/testing';
import { readByRules } from './read-by-rules.js';

const read = (request: string, known: KnownValues = PLAN_KNOWN, now = PLAN_NOW): Reading => {
  const { reading, settle } = readByRules(request, now);
  return settle?.(known) ?? reading;
};

const shortOf = (condition: PlanCondition): string[] => {
  switch (condition.field) {
    case 'created':
    case 'added':
      return [condition.field, [condition.from, condition.to].map((date) => date?.slice(0, 10) ?? '').join('/')];
    case 'title':
      return ['title', condition.allOf.join('|')];
    case 'metadata':
      return [condition.key, String(condition.equals)];
    default:
      return [condition.field, condition.oneOf.join('|')];
  }
};
const shortPlan = ({ conditions }: Reading) =>
  conditions.map((condition) => [...shortOf(condition), condition.words].join(' · ')).sort();

describe('rules read', () => {
  it.each(PLAN_REQUESTS.map((row) => [row.request, row] as const))('"%s"', (request, row) => {
    const reading = read(request);
    expect({
      kind: reading.kind,
      text: reading.searchText,
      conditions: shortPlan(reading),
      sender: reading.entities.find(({ role }) => role === 'sender')?.text,
    }).toEqual({
      kind: row.kind,
      text: row.text ?? request,
      conditions: (row.conditions ?? []).map((condition) => condition.join(' · ')).sort(),
      sender: row.sender,
    });
  });

  it('a request with the values that a tenant has, or leaves its words', () => {
    const none = { ...PLAN_KNOWN, contentTypes: [], sourceTypes: ['imap'], metadata: {}, created: null };
    const reading = read('email receipt from the pharmacy last October', none);
    expect([shortPlan(reading), reading.searchText]).toEqual([
      ['source-type · imap · email'],
      'receipt pharmacy last October',
    ]);
  });

  it('a text of any length as a search, and no more', () => {
    const long = `find mails from ${'x '.repeat(1_900)}`;
    expect(readByRules(long, PLAN_NOW)).toMatchObject({ reading: { searchText: long, conditions: [] } });
    expect(readByRules(long, PLAN_NOW).settle).toBeUndefined();
  });
});
