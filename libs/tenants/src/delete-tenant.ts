import {
  CodedError,
  deletionRequests,
  ErasingService,
  failureOf,
  type IdentitySeal,
  isComplete,
  type Requests,
  type ServiceLeft,
  TenantId,
} from '@postmaster/contracts';
import { closeTenant, type Database, every } from '@postmaster/durable';
import { DEFAULT_TENANT } from './default-tenant.js';
import { closedAt, closedButThere, eraseRows, FREE_AGAIN_DAYS, forgetClosed, tenantPlaces } from './rows/deletions.js';
import { readTenant } from './rows/tenants.js';
import type { TenantsTables } from './rows/tables.js';
import { checked, NamedTenant } from './tenant.js';

/** What is left of a tenant that was deleted, counted now. */
export interface TenantDeletion {
  tenant: TenantId;
  deletedAt: Date;
  checkedAt: Date;
  /** Nothing is left anywhere, the tenant and its keys included, and every service said so. */
  complete: boolean;
  services: ServiceLeft[];
}

export interface DeleteTenantPorts {
  db: Database<TenantsTables>;
  requests: Pick<Requests, 'ask'>;
  seal: Pick<IdentitySeal, 'sign'>;
  now: () => Date;
  /** Hears of what has to be tried again. */
  onError: (error: unknown) => void;
}

/** The operator's word, which alone closes and erases tenants. */
const operatorToken = (seal: Pick<IdentitySeal, 'sign'>, tenant: TenantId): Promise<string> =>
  seal.sign({ tenant, subject: 'service:tenants', scopes: ['operator'] });

/**
 * Deletes a tenant with all that it has. When this resolves its keys are refused, whatever dies next it will be erased,
 * and every service that answers takes nothing of it any more; the receipt says which do not. The tenant and its keys go
 * last. Safe to repeat. Throws NOT_FOUND, and INPUT_INVALID for the tenant that every start makes.
 */
export const deleteTenant =
  (ports: DeleteTenantPorts) =>
  async (id: string): Promise<TenantDeletion> => {
    const { db, requests, seal, onError } = ports;
    const { id: tenant } = checked(NamedTenant, { id });
    if (tenant === DEFAULT_TENANT)
      throw new CodedError('INPUT_INVALID', `The tenant "${tenant}" is made by every start and can't be deleted.`, {
        field: 'id',
        next: 'Delete its documents: `postmaster delete --all`.',
      });
    const known = await db.evenClosed(tenant, async (tx) => (await readTenant(tx, tenant)) ?? (await closedAt(tx)));
    if (!known) throw new CodedError('NOT_FOUND', `There is no tenant "${tenant}".`, { field: 'id' });
    await closeTenant(db, tenant);
    const token = await operatorToken(seal, tenant);
    await Promise.all(
      ErasingService.options.map((service) =>
        requests.ask(deletionRequests(service).closeTenant, token, { tenant }).catch(onError),
      ),
    );
    return present(await tenantDeletion(ports)(tenant));
  };

const present = <T>(value: T | null): T => {
  if (value === null) throw new Error('A tenant that was just closed is not.');
  return value;
};

/** Asks every service what is left of a tenant; null where none of that id was deleted within the last days. */
export const tenantDeletion =
  ({ db, requests, seal, now, onError }: DeleteTenantPorts) =>
  async (id: string): Promise<TenantDeletion | null> => {
    const { id: tenant } = checked(NamedTenant, { id });
    const own = await db.evenClosed(tenant, async (tx) => ({ at: await closedAt(tx), places: await tenantPlaces(tx) }));
    if (!own.at) return null;
    const token = await operatorToken(seal, tenant);
    const asked = await Promise.all(
      ErasingService.options.map(async (service): Promise<ServiceLeft> => {
        try {
          const { places } = await requests.ask(deletionRequests(service).countTenant, token, { tenant });
          return { service, places, failure: null };
        } catch (error) {
          if (!(error instanceof CodedError)) onError(error);
          return { service, places: [], failure: failureOf(error) };
        }
      }),
    );
    const services = [...asked, { service: 'tenants', places: own.places, failure: null }];
    return { tenant, deletedAt: own.at, checkedAt: now(), complete: isComplete(services), services };
  };

const LOOK_MS = 1_000;
const HOUR_MS = 3_600_000;
/** Of one tenant, before the next one has its turn. */
const STEPS = 50;

/** Erases the tenants that were deleted, step by step, until nothing of them is left; gives how to end it. */
export const eraseTenants = (ports: DeleteTenantPorts): (() => Promise<void>) => {
  const { db, onError } = ports;
  const round = async (): Promise<void> => {
    for (const tenant of await closedButThere(db)) await eraseOne(ports, tenant).catch(onError);
  };
  const stops = [every(LOOK_MS, round, onError), every(HOUR_MS, () => forgetClosed(db, FREE_AGAIN_DAYS), onError)];
  return async () => void (await Promise.all(stops.map((stop) => stop())));
};

/** Does what can be done of one tenant now; it is asked for again while the tenant is there. */
const eraseOne = async ({ db, requests, seal }: DeleteTenantPorts, tenant: TenantId): Promise<void> => {
  const services = ErasingService.options.map(deletionRequests);
  const token = (): Promise<string> => operatorToken(seal, tenant); // it holds for a minute
  for (const { closeTenant } of services) await requests.ask(closeTenant, await token(), { tenant });
  for (const { eraseTenant } of services)
    for (let step = 0; step < STEPS; step++)
      if ((await requests.ask(eraseTenant, await token(), { tenant })).ended) break;
  for (const { countTenant } of services) {
    const { places } = await requests.ask(countTenant, await token(), { tenant });
    if (places.some(({ left }) => left > 0)) return;
  }
  await db.evenClosed(tenant, eraseRows);
};
