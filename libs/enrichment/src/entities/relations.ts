import type { EntityType } from './entity.js';

interface Ends {
  from: readonly EntityType[];
  to: readonly EntityType[];
}

const ACTORS = ['person', 'organisation'] as const;
const THINGS = ['organisation', 'place', 'product', 'code'] as const;

/**
 * How a document may say that two entities are related, read as a sentence from one to the other, and what each end is.
 * What is `other` may stand at either: its name tells no more. A closed list: people filter and count by it, and a text
 * can put no words of its own into it.
 */
export const RELATIONS = {
  works_for: { from: ['person'], to: ['organisation'] },
  leads: { from: ['person'], to: ['organisation', 'place', 'product'] },
  member_of: { from: [...ACTORS, 'place'], to: ['organisation'] },
  founded: { from: ACTORS, to: ['organisation', 'product', 'place'] },
  owns: { from: ACTORS, to: THINGS },
  part_of: { from: THINGS, to: THINGS },
  located_in: { from: [...ACTORS, 'place', 'product'], to: ['place'] },
  born_in: { from: ['person'], to: ['place', 'date'] },
  family_of: { from: ['person'], to: ['person'] },
  succeeds: { from: [...ACTORS, 'product', 'code'], to: [...ACTORS, 'product', 'code'] },
  makes: { from: ACTORS, to: ['product', 'code'] },
  uses: { from: [...ACTORS, 'product'], to: ['product', 'code', 'place'] },
  supplies: { from: ACTORS, to: [...ACTORS, 'place'] },
  pays: { from: ACTORS, to: ACTORS },
  agreed_with: { from: [...ACTORS, 'place'], to: [...ACTORS, 'place'] },
  signed: { from: ACTORS, to: ['code', 'product'] },
  responsible_for: { from: ACTORS, to: ['organisation', 'place', 'product', 'code'] },
  concerns: { from: ['code', 'product'], to: [...ACTORS, 'place', 'product', 'code'] },
  dated: { from: [...ACTORS, 'place', 'product', 'code'], to: ['date'] },
} as const satisfies Record<string, Ends>;
export type RelationType = keyof typeof RELATIONS;

export const RELATION_TYPES = Object.keys(RELATIONS) as RelationType[]; // Object.keys forgets the names

export const isRelation = (type: string): type is RelationType => Object.hasOwn(RELATIONS, type);

/** Whether a relation may lead from an entity of the one type to one of the other. */
export const mayRelate = (type: RelationType, from: EntityType, to: EntityType): boolean => {
  const ends: Ends = RELATIONS[type];
  return (from === 'other' || ends.from.includes(from)) && (to === 'other' || ends.to.includes(to));
};
