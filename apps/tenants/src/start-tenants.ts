import { newId } from '@postmaster/contracts';
import { PROCESS_VARIABLES, type RunningProcess, startService } from '@postmaster/process';
import { readConfig } from '@postmaster/service';
import {
  answerTenantRequests,
  eraseTenants,
  newSecret,
  TENANTS_SCHEMA,
  type TenantsTables,
  tenantsMigrations,
  tenantsUseCases,
} from '@postmaster/tenants';
import { tenantsModule, tenantsTypeDefs } from '@postmaster/tenants/nest';

/** The tenants service as a process of its own. */
export const startTenants = (environment?: Record<string, string>): Promise<RunningProcess> =>
  startService<TenantsTables>({
    name: 'tenants',
    config: readConfig(PROCESS_VARIABLES, environment),
    rows: { schema: TENANTS_SCHEMA, migrations: tenantsMigrations },
    compose: ({ db, requests, seal, lifecycle, onError }) => {
      answerTenantRequests(requests, db);
      const told = (error: unknown): void => onError(error, 'tenants.deletions');
      const ports = { db, requests, seal, newId, now: () => new Date(), newSecret, onError: told };
      const useCases = tenantsUseCases(ports);
      lifecycle.onShutdown('workers', 'deletions', eraseTenants(ports));
      return { module: tenantsModule(useCases), typeDefs: tenantsTypeDefs() };
    },
  });
