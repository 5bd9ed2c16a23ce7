import type { Chunking, Scope, SearchSettings, TenantId } from '@postmaster/contracts';
import type { ColumnType, RawBuilder, Selectable } from 'kysely';

export interface TenantsTables {
  tenants: TenantRow;
  keys: KeyRow;
}

interface TenantRow {
  tenant: TenantId;
  name: string;
  paragraph_words: number;
  long_paragraphs: 'split' | 'refuse';
  chunking: Chunking;
  search: ColumnType<SearchSettings, string, string | RawBuilder<SearchSettings>>;
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

export type StoredTenant = Selectable<TenantRow>;
export type StoredKey = Selectable<KeyRow>;
