import { type KnownValues, PlanCondition, type Reading } from '@postmaster/contracts';
import { favoured } from './favoured.js';
import type { PlanReply } from './plan-reply.js';
import { meets, sameOf } from './settle-wishes.js';

/**
 * A model's reading of a request, over the rules' own. A condition counts only for a request for documents, where the
 * request holds the words that it is said to come from, and the tenant has what it asks for; the words of any other are
 * searched for.
 */
export const readByModel = (reply: PlanReply, request: string, known: KnownValues, rules: Reading): Reading => {
  const wanted = reply.kind === 'document' ? reply.conditions : [];
  const conditions = wanted.flatMap((one) => conditionOf(one, request, known) ?? []).slice(0, 8);
  const sender = reply.sender?.trim();
  return {
    ...rules,
    kind: reply.kind,
    keywords: [...new Set([...rules.keywords, ...reply.keywords])].slice(0, 20),
    entities:
      sender && holds(request, sender)
        ? [{ text: sender, role: 'sender' }, ...rules.entities.filter(({ text }) => text !== sender)]
        : rules.entities,
    conditions,
    searchText: conditions.length === 0 ? request : withLostWords(reply, request, conditions),
    favour: conditions.length > 0 || reply.kind === 'summary' ? favoured(reply.kind) : {},
    variations: [],
  };
};

type Replied = PlanReply['conditions'][number];

/** How sure a condition is when a model says so, which gives no figure that can be gone by. */
const CERTAINTY: Record<PlanCondition['field'], number> = {
  collection: 0.9,
  'content-type': 0.8,
  'source-type': 0.8,
  language: 0.8,
  title: 0.7,
  added: 0.7,
  metadata: 0.6,
  created: 0.6,
};

const conditionOf = (replied: Replied, request: string, known: KnownValues): PlanCondition | undefined => {
  const words = replied.words.trim();
  if (words === '' || !holds(request, words)) return undefined;
  const said = { field: replied.field, certainty: CERTAINTY[replied.field], words };
  const parsed = PlanCondition.safeParse({ ...said, ...operandOf(replied, known) });
  if (!parsed.success) return undefined;
  const condition = parsed.data;
  if (condition.field !== 'created' && condition.field !== 'added') return condition;
  const [from, to] = [condition.from, condition.to].map((date) => (date ? Date.parse(date) : null));
  if (!meets(known[condition.field], from ?? null, to ?? null)) return undefined;
  return { ...condition, ...(from && { from: iso(from) }), ...(to && { to: iso(to) }) };
};

/** Of a field's own operator; values as they are there. A value that is not there leaves the operand out. */
const operandOf = ({ field, values, key, from, to }: Replied, known: KnownValues): object => {
  const among = (there: readonly string[]) => {
    const found = values.flatMap((value) => sameOf(there, value) ?? []);
    return found.length === 0 ? {} : { oneOf: [...new Set(found)] };
  };
  switch (field) {
    case 'collection':
      return among(known.collections);
    case 'source-type':
      return among(known.sourceTypes);
    case 'content-type':
      return among(known.contentTypes);
    case 'language':
      return among(known.languages);
    case 'title':
      return { allOf: values };
    case 'metadata': {
      const there = sameOf(Object.keys(known.metadata), key ?? '');
      const equals = known.metadata[there ?? '']?.find((value) => lower(String(value)) === lower(values[0] ?? ''));
      return equals === undefined ? {} : { key: there, equals };
    }
    default:
      return { ...(from && { from }), ...(to && { to }) };
  }
};

/** The model's search text, with the words of conditions that came to nothing. */
const withLostWords = (reply: PlanReply, request: string, kept: readonly PlanCondition[]): string => {
  const lost = reply.conditions
    .map(({ words }) => words.trim())
    .filter((words) => words !== '' && holds(request, words) && !kept.some((one) => one.words === words))
    .filter((words) => !holds(reply.search_text, words));
  return [reply.search_text, ...lost].join(' ').slice(0, 4000);
};

const lower = (text: string): string => text.toLowerCase();
const holds = (text: string, words: string): boolean => lower(text).includes(lower(words));
const iso = (time: number): string => new Date(time).toISOString();
