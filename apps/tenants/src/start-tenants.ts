import { newId } from '@postmaster/contracts';
import { PROCESS_VARIABLES, type RunningProcess, startService } from '@postmaster/process';
import { readConfig } from '@postmaster/service';
import {
  answerTenantRequests,
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
    compose: ({ db, requests }) => {
      answerTenantRequests(requests, db);
      const useCases = tenantsUseCases({ db, newId, now: () => new Date(), newSecret });
      return { module: tenantsModule(useCases), typeDefs: tenantsTypeDefs() };
    },
  });
