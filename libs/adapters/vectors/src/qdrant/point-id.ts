import { hashOf, type TenantId } from '@postmaster/contracts';

/** The point of a tenant's paragraph: a UUID (version 8, RFC 9562) of both, so that no two tenants share one. */
export const pointId = (tenant: TenantId, id: string): string => {
  const hash = hashOf(tenant, id);
  const variant = ((Number.parseInt(hash.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    variant + hash.slice(17, 20),
    hash.slice(20, 32),
  ].join('-');
};
