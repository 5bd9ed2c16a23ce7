import type { Chunking, EntitiesBy, ModelProfile, Scope, SearchSettings, TenantId } from '@postmaster/contracts';
import type { Budget } from '../ledger/budget.js';
import type { ColumnType, RawBuilder, Selectable } from 'kysely';

export interface TenantsTables {
  tenants: TenantRow;
  keys: KeyRow;
  writes: WriteRow;
  model_profiles: ModelProfileRow;
  costs: CostRow;
}

interface TenantRow {
  tenant: TenantId;
  name: string;
  paragraph_words: number;
  long_paragraphs: 'split' | 'refuse';
  chunking: Chunking;
  entities_by: EntitiesBy;
  search: ColumnType<SearchSettings, string, string | RawBuilder<SearchSettings>>;
  budget: ColumnType<Budget, string | undefined, RawBuilder<Budget>>;
  ceiling: ColumnType<Budget, string | undefined, RawBuilder<Budget>>;
  created_at: ColumnType<Date, Date, never>;
}

interface KeyRow {
  id: string;
  tenant: TenantId;
  name: string;
  hash: string;
  scopes: Scope[];
  created_at: ColumnType<Date, Date, never>;
  revoked_at: Date | null;
}

/** A write that has an Idempotency-Key. */
interface WriteRow {
  tenant: TenantId;
  key: string;
  /** Of the request; null until it was read. */
  print: string | null;
  claim: string;
  lapses_at: Date;
  began_at: Date;
  /** Sealed; null while the write goes on. */
  answer: string | null;
}

/** What a tenant uses in place of the server's own. */
interface ModelProfileRow {
  tenant: TenantId;
  version: number;
  /** Keys are sealed. */
  choices: ModelProfile;
}

/** What one kind of work asked of one model for one document in a month, summed up. */
interface CostRow {
  tenant: TenantId;
  /** "2026-11", in UTC. */
  month: string;
  document: string;
  task: string;
  model: string;
  calls: number;
  input_tokens: number;
  output_tokens: number;
  cached_tokens: number;
  /** At the prices that held when each reply came; 0 where none was known. */
  money: number;
  /** Calls of a model whose price is not known. */
  unpriced: number;
}

export type StoredProfile = Selectable<ModelProfileRow>;
export type StoredWrite = Selectable<WriteRow>;
export type StoredTenant = Selectable<TenantRow>;
export type StoredKey = Selectable<KeyRow>;
