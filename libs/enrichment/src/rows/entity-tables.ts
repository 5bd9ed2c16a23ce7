import type { ColumnType, Generated } from 'kysely';
import type { EntityType, MergeReason } from '../entities/entity.js';

/** A graph of entities: '' is that of a tenant's documents, others are of evaluations. Whoever changes one holds its row. */
interface EntityGraphRow {
  tenant: string;
  graph: string;
  used_at: ColumnType<Date, Date | undefined, Date>;
}

/** What a model said of a paragraph that it was asked about: nothing, where it was given up. */
interface EntityReplyRow {
  tenant: string;
  paragraph: string;
  document: string;
  reply: ColumnType<unknown, string, string>;
  model: string;
  prompt_version: string;
  /** Counts up with each reply. */
  revision: Generated<number>;
  /** Another model, or another prompt, is to be asked. */
  wanted_anew: Generated<boolean>;
}

/** A paragraph whose entities are in the graph: by which rules, and with which reply of a model. */
interface EntityReadRow {
  tenant: string;
  paragraph: string;
  document: string;
  rules: string;
}

/** A name, in all its forms: an entity of its own, or one of another's names. */
interface EntityNameRow {
  tenant: string;
  graph: string;
  key: string;
  /** Made of graph and key: the same name is the same entity whenever it comes. */
  id: string;
  /** The id of the name that this one is another form of; its own where it is none. */
  entity: string;
  name: string;
  type: EntityType;
  /** In the words of whoever gave it by hand; counts before `type`. */
  given_type: string | null;
  /** Given by hand: it stays without a paragraph that names it. */
  given: Generated<boolean>;
}

interface EntityMentionRow {
  tenant: string;
  graph: string;
  paragraph: string;
  key: string;
  document: string;
  /** As the paragraph has it first. */
  name: string;
  type: EntityType;
  count: number;
}

/** That a name is another one's, and what says so; a name into itself by hand: it is nobody else's. */
interface EntityMergeRow {
  tenant: string;
  graph: string;
  key: string;
  into_key: string;
  why: MergeReason;
  /** '' for what is said by hand; so is the paragraph. */
  document: string;
  paragraph: string;
}

interface EntityRelationRow {
  tenant: string;
  graph: string;
  source: string;
  target: string;
  type: string;
  /** '' for what is given by hand; so is the paragraph. */
  document: string;
  paragraph: string;
}

/** Something that is said of an entity by hand. */
interface EntityNoteRow {
  tenant: string;
  graph: string;
  key: string;
  hash: string;
  text: string;
  noted_at: ColumnType<Date, never, never>;
  /** Among those that were given with it. */
  place: number;
}

export interface EntityTables {
  entity_graphs: EntityGraphRow;
  entity_read: EntityReadRow;
  entity_replies: EntityReplyRow;
  entity_names: EntityNameRow;
  entity_mentions: EntityMentionRow;
  entity_merges: EntityMergeRow;
  entity_relations: EntityRelationRow;
  entity_notes: EntityNoteRow;
}
