import { newId, NO_PRICES } from '@postmaster/contracts';
import { type Database, every, sweepDelivered } from '@postmaster/durable';
import { modelProbe, modelSettingsOf } from '@postmaster/models';
import { PROCESS_VARIABLES, type RunningProcess, secretOf, startService } from '@postmaster/process';
import { readConfig } from '@postmaster/service';
import {
  answerTenantRequests,
  eraseTenants,
  keepCosts,
  newSecret,
  secretBox,
  sweepWrites,
  TENANTS_SCHEMA,
  type TenantsTables,
  tenantsMigrations,
  tenantsUseCases,
} from '@postmaster/tenants';
import { tenantsModule, tenantsTypeDefs } from '@postmaster/tenants/nest';

const SWEEP_MS = 3_600_000;

/** The tenants service as a process of its own. */
export const startTenants = (environment?: Record<string, string>): Promise<RunningProcess> => {
  const config = readConfig(
    [...PROCESS_VARIABLES, 'POSTMASTER_SECRETS_KEY', 'ALLOWED_PRIVATE_HOSTS', 'LLM_TIMEOUT_MS', 'LLM_PRICES'],
    environment,
  );
  return startService<TenantsTables>({
    name: 'tenants',
    config,
    rows: { schema: TENANTS_SCHEMA, migrations: tenantsMigrations },
    compose: ({ db, requests, seal, lifecycle, onError }) => {
      const answers = secretBox([secretOf(config)]); // kept for a day: no harm where that secret changes
      const given = config.POSTMASTER_SECRETS_KEY;
      const secrets = given && secretBox(given.map((one) => Buffer.from(one)));
      const probe = modelProbe(modelSettingsOf(config));
      const told = (error: unknown): void => onError(error, 'tenants.deletions');
      const ports = {
        db,
        requests,
        seal,
        probe,
        answers,
        secrets,
        newId,
        newSecret,
        prices: config.LLM_PRICES,
        now: () => new Date(),
        onError: told,
      };
      answerTenantRequests(ports);
      const stopSweeping = every(SWEEP_MS, sweepWrites(ports), (error) => onError(error, 'tenants.timer'));
      lifecycle.onShutdown('workers', 'sweeping', stopSweeping);
      lifecycle.onShutdown('workers', 'deletions', eraseTenants(ports));
      const inbox = (): Promise<unknown> => sweepDelivered(db as Database<unknown>); // what is the same in every service's rows
      const stopForgetting = every(SWEEP_MS, inbox, (error) => onError(error, 'tenants.timer'));
      const parts = {
        consumers: [keepCosts(db, config.LLM_PRICES ?? NO_PRICES)],
        start: () => {},
        stop: stopForgetting,
        recover: () => Promise.resolve(),
      };
      return { parts, module: tenantsModule(tenantsUseCases(ports)), typeDefs: tenantsTypeDefs() };
    },
  });
};
