import { CodedError, TenantId } from '@postmaster/contracts';

const INDEX_NAME = /^[a-z0-9_-]{1,80}$/;

/** Throws INPUT_INVALID for what is no name of a tenant or of an index: both become names in the store. */
export const requireNames = (tenant: TenantId, index: string): void => {
  if (!TenantId.safeParse(tenant).success) throw invalid('tenant', tenant, '[a-z0-9-]{1,40}');
  requireIndexName(index);
};

export const requireIndexName = (index: string): void => {
  if (!INDEX_NAME.test(index)) throw invalid('index', index, '[a-z0-9_-]{1,80}');
};

const invalid = (field: string, value: string, form: string): CodedError =>
  new CodedError('INPUT_INVALID', `The ${field} should match ${form} but is "${value}".`, { field });
