import type { SearchSettings, TenantId, TenantProfile } from '@postmaster/contracts';

/** What the tenants service says of a tenant that was changed in its search settings alone. */
export const profileOf = (tenant: TenantId, search: SearchSettings = {}): TenantProfile => ({
  ...{ tenant, name: tenant, paragraphWords: 120, longParagraphs: 'split', chunking: 'paragraphs', search },
});
