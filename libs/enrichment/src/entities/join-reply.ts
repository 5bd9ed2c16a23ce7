import { hasLink } from '@postmaster/contracts';
import type { EntityPart, Rejection, RejectionReason } from '../gate/rejection.js';
import { asWritten } from '../metadata/found.js';
import { quotesIn } from '../quotes-in.js';
import type { EntityType, FoundEntities, FoundRelation, Mention } from './entity.js';
import type { PassageReply } from './entity-reply.js';
import { datesOf, LONGEST_NAME, MOST_MENTIONS } from './find-mentions.js';
import { nameKey } from './name-key.js';
import { isRelation, mayRelate } from './relations.js';

/** Of one paragraph. */
const MOST_RELATIONS = 40;
const MOST_WORDS = 12;

export interface JoinedEntities {
  found: FoundEntities;
  rejected: Rejection<EntityPart>[];
}

/**
 * What rules found in a paragraph, with what a model says of it beside: its names that the text has, and its relations
 * of a known type between two of the paragraph's names. A name that both have is of the type that the model says, but
 * for codes and days, which rules read from their signs; its key is the rules'. A model takes nothing away.
 */
export const joinReply = (text: string, byRules: FoundEntities, reply: PassageReply): JoinedEntities => {
  const rejected: Rejection<EntityPart>[] = [];
  const mentions = new Map(byRules.mentions.map((one) => [one.key, one]));
  for (const said of reply.entities) {
    const read = readName(text, said);
    if (typeof read === 'string') rejected.push({ part: 'entities', reason: read, text: said.name });
    else if (!mentions.has(read.key) && mentions.size >= MOST_MENTIONS)
      rejected.push({ part: 'entities', reason: 'TOO_MANY', text: said.name });
    else mentions.set(read.key, both(mentions.get(read.key), read));
  }
  const relations: FoundRelation[] = [];
  for (const said of reply.relations) {
    const read = readRelation(said, mentions, relations);
    if (typeof read === 'string')
      rejected.push({ part: 'relations', reason: read, text: `${said.from} ${said.type} ${said.to}` });
    else relations.push(read);
  }
  return { found: { mentions: [...mentions.values()], told: byRules.told, relations }, rejected };
};

const both = (byRules: Mention | undefined, said: Mention): Mention => {
  if (!byRules) return said;
  const sure = said.type === 'other' || byRules.type === 'date' || byRules.type === 'code';
  return sure ? byRules : { ...byRules, type: said.type };
};

const readName = (text: string, { name, type }: PassageReply['entities'][number]): Mention | RejectionReason => {
  if (hasLink(name)) return 'HAS_LINK';
  const quotes = quotesIn(text, name);
  const [first] = quotes;
  if (!first) return 'NOT_QUOTED';
  const written = asWritten(first);
  const key = keyOf(written, type);
  if (!key || !isName(written)) return 'NOT_A_NAME';
  return { ...key, name: written, count: quotes.length };
};

/** A day is one whatever it is called, and nothing else is; undefined for what has no key. */
const keyOf = (name: string, type: EntityType): { key: string; type: EntityType } | undefined => {
  const day = datesOf(name).find(({ start, end }) => start === 0 && end === name.length);
  if (day) return { key: day.key, type: 'date' };
  const key = type === 'code' ? name.toLowerCase() : nameKey(name);
  return type === 'date' || key === '' ? undefined : { key, type };
};

const isName = (name: string): boolean =>
  name.length <= LONGEST_NAME &&
  name.split(' ').length <= MOST_WORDS &&
  /\p{L}|\p{N}/u.test(name) &&
  (!SAYS_WHICH.test(name) || /^\p{Lu}{2,}$/u.test(name));

/** What stands for a name, or counts things, is none; "US" and "IT" may be. */
const SAYS_WHICH =
  /^(?:i|me|my|you|your|he|him|his|she|her|it|its|we|us|our|they|them|their|this|that|these|those|who|jeg|mig|min|du|dig|din|han|ham|hans|hun|hende|hendes|den|det|dens|dets|vi|os|vores|de|dem|deres|denne|dette|disse|man|der|som|\p{L}|\d{1,3})$/iu;

const readRelation = (
  { from, type, to }: PassageReply['relations'][number],
  mentions: ReadonlyMap<string, Mention>,
  before: readonly FoundRelation[],
): FoundRelation | RejectionReason => {
  if (!isRelation(type)) return 'UNKNOWN_RELATION';
  const [source, target] = [mentionOf(from, mentions), mentionOf(to, mentions)];
  if (!source || !target) return 'NOT_QUOTED';
  if (source.key === target.key || !mayRelate(type, source.type, target.type)) return 'WRONG_ENDS';
  const relation = { source: source.key, type, target: target.key };
  if (before.some((one) => one.source === source.key && one.type === type && one.target === target.key))
    return 'REPEATED';
  return before.length < MOST_RELATIONS ? relation : 'TOO_MANY';
};

const mentionOf = (name: string, mentions: ReadonlyMap<string, Mention>): Mention | undefined =>
  mentions.get(name.trim().toLowerCase()) ?? mentions.get(keyOf(name.trim(), 'other')?.key ?? '');
