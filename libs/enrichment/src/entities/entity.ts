import type { RelationType } from './relations.js';

/** What an entity can be. Of a name that is found as several, the earliest here counts: what tells it is surer. */
export const ENTITY_TYPES = ['date', 'code', 'organisation', 'person', 'place', 'product', 'other'] as const;
export type EntityType = (typeof ENTITY_TYPES)[number];

/** Something that a paragraph names, once, however often it does. */
export interface Mention {
  /** What the forms of one name have in common; `nameKey`. */
  key: string;
  /** As the paragraph has it first. */
  name: string;
  type: EntityType;
  count: number;
}

/** That two names are one thing, as a text says it: "Danske Bank (DB)". */
export interface ToldSame {
  key: string;
  into: string;
}

/** That a paragraph says how two of its names are related; by their keys. */
export interface FoundRelation {
  source: string;
  type: RelationType;
  target: string;
}

/** What is found in one paragraph. */
export interface FoundEntities {
  mentions: readonly Mention[];
  told: readonly ToldSame[];
  /** None without a model: rules read no relations. */
  relations?: readonly FoundRelation[];
}

/** Why a name counts as another one's: as the text says itself, or by its form within one document, or by hand. */
export const MERGE_REASONS = ['told', 'abbreviation', 'initials', 'surname', 'genitive', 'hand'] as const;
export type MergeReason = (typeof MERGE_REASONS)[number];
