import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Module } from '@nestjs/common';
import { Args, Context, Mutation, Parent, Query, ResolveField, ResolveReference, Resolver } from '@nestjs/graphql';
import { CodedError, type Identity, identitySeal, requireScope, TenantId } from '@postmaster/contracts';
import { type ExecutionResult, graphql } from 'graphql';
import { createLog, createMetrics, type RunningSubgraph, startSubgraph, type SubgraphContext } from './index.js';

const typeDefs = `
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key"])
  scalar DateTime
  scalar JSON
  type Query { who: String  moment(at: DateTime!, with: JSON): DateTime  broken: String  refused: String  thing: Thing }
  type Mutation { write: String }
  type Thing @key(fields: "id") { id: ID!  owner: String  late: String }
`;

@Resolver('Thing')
class ThingResolver {
  @Query('who')
  who(@Context() { identity }: SubgraphContext) {
    return `${identity.subject} of ${identity.tenant}`;
  }
  @Query('moment')
  moment(@Args('at') at: string) {
    return at;
  }
  @Query('broken')
  broken() {
    throw new Error('password=hunter2');
  }
  @Query('refused')
  refused() {
    throw new CodedError('QUERY_EMPTY', 'Nothing was asked.', { field: 'query' });
  }
  @Query('thing')
  thing() {
    return { id: 't1' };
  }
  @Mutation('write')
  write(@Context() { identity }: SubgraphContext) {
    requireScope(identity, 'write');
    return 'written';
  }
  @ResolveReference()
  resolveReference({ id }: { id: string }) {
    if (id === 'gone') throw new CodedError('NOT_FOUND', 'It is gone.');
    return { id };
  }
  @ResolveField('owner')
  owner(@Parent() { id }: { id: string }, @Context() { identity }: SubgraphContext) {
    return `${id} of ${identity.tenant}`;
  }
  @ResolveField('late')
  async late() {
    throw new CodedError('SERVICE_UNAVAILABLE', 'Later.', { retryAfter: 5 });
  }
}

@Module({})
class ThingModule {}

const seal = identitySeal(new TextEncoder().encode('a secret of the right length, 32+'));
const reader: Identity = { tenant: TenantId.parse('ours'), subject: 'key-1', scopes: ['read'] };

let logged = '';
const logLines = new Writable({
  write: (line, _, next) => {
    logged += line;
    next();
  },
});
let subgraph: RunningSubgraph;
beforeAll(async () => {
  subgraph = await startSubgraph({
    name: 'things',
    module: { module: ThingModule, providers: [ThingResolver] },
    typeDefs,
    seal,
    log: createLog({ name: 'test', level: 'info', pretty: false, to: logLines }),
    health: { checks: { rows: () => true }, metrics: createMetrics('things') },
  });
});
afterAll(() => subgraph.close());

const askLocally = async (source: string, token: string | undefined) => {
  const contextValue = await subgraph.context({ token, requestId: 'r1' });
  return graphql({ schema: subgraph.schema, source, contextValue });
};
const ENTITY = '{ _entities(representations: [{ __typename: "Thing", id: "t1" }]) { ... on Thing { id owner } } }';

describe('a subgraph in the process of its gateway', () => {
  it('gives resolvers the identity that the token carries', async () => {
    const token = await seal.sign(reader);
    expect(await askLocally(`{ who thing { owner } } `, token)).toEqual({
      data: { who: 'key-1 of ours', thing: { owner: 't1 of ours' } },
    });
    expect((await askLocally(ENTITY, token)).data).toMatchObject({ _entities: [{ id: 't1', owner: 't1 of ours' }] });
  });

  it('refuses every way in without a valid identity', async () => {
    const forged = await identitySeal(new TextEncoder().encode('another secret of the right length')).sign(reader);
    for (const token of [undefined, '', 'nonsense', forged])
      for (const query of ['{ who }', 'mutation { write }', ENTITY, '{ thing { id } }', '{ _service { sdl } }']) {
        const { errors } = await askLocally(query, token);
        expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['IDENTITY_INVALID']);
      }
    const bare = await graphql({ schema: subgraph.schema, source: '{ who }' });
    expect(bare.errors?.[0]?.extensions.code).toBe('IDENTITY_INVALID');
  });

  it('tells an expected failure whole, wherever it was thrown', async () => {
    const { errors } = await askLocally('{ refused thing { late } }', await seal.sign(reader));
    expect(errors?.map(({ message, path, extensions }) => ({ message, path, extensions }))).toEqual([
      {
        message: 'Nothing was asked.',
        path: ['refused'],
        extensions: { code: 'QUERY_EMPTY', next: expect.any(String), field: 'query', requestId: 'r1' },
      },
      {
        message: 'Later.',
        path: ['thing', 'late'],
        extensions: { code: 'SERVICE_UNAVAILABLE', next: expect.any(String), retryAfter: 5, requestId: 'r1' },
      },
    ]);
    expect(logged).not.toContain('Nothing was asked.');
  });

  it('tells why a reference can’t be resolved, without holding back the others', async () => {
    const things = '{ __typename: "Thing", id: "gone" }, { __typename: "Thing", id: "t1" }';
    const query = `{ _entities(representations: [${things}]) { ... on Thing { id } } }`;
    const { data, errors } = await askLocally(query, await seal.sign(reader));
    expect(data).toEqual({ _entities: [null, { id: 't1' }] });
    expect(errors).toMatchObject([{ path: ['_entities', 0], extensions: { code: 'NOT_FOUND', requestId: 'r1' } }]);
  });

  it('masks a surprise and logs it with the id of its request', async () => {
    const { errors } = await askLocally('{ broken }', await seal.sign(reader));
    expect(errors).toMatchObject([{ extensions: { code: 'INTERNAL', requestId: 'r1' } }]);
    expect(JSON.stringify(errors)).not.toContain('hunter2');
    const line = logged.split('\n').find((one) => one.includes('hunter2'));
    expect(JSON.parse(line ?? '{}')).toMatchObject({ requestId: 'r1', service: 'things', level: 50 });
    expect(logged.match(/hunter2/g)).toHaveLength(2); // once, in the error's message and its stack
  });
});

describe('a subgraph that listens', () => {
  let url: string;
  beforeAll(async () => {
    url = await subgraph.listen(0, '127.0.0.1');
  });

  const ask = async (query: string, token?: string): Promise<ExecutionResult> => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-request-id': 'r2',
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      body: JSON.stringify({ query }),
    });
    return (await response.json()) as ExecutionResult;
  };

  it('answers a gateway that brings a token, and nobody else', async () => {
    const query = '{ who moment(at: "2026-11-21T10:00:00+01:00", with: {a: 1}) }';
    expect(await ask(query, await seal.sign(reader))).toEqual({
      data: { who: 'key-1 of ours', moment: '2026-11-21T09:00:00.000Z' },
    });
    expect((await ask(query)).errors).toMatchObject([
      { extensions: { code: 'IDENTITY_INVALID', requestId: 'r2' } },
      { extensions: { code: 'IDENTITY_INVALID' } },
    ]);
    expect((await ask(ENTITY)).errors).toMatchObject([{ extensions: { code: 'IDENTITY_INVALID' } }]);
  });

  it('lets only known codes and facts out', async () => {
    const token = await seal.sign(reader);
    expect((await ask('{ nothing }', token)).errors).toMatchObject([{ extensions: { code: 'INPUT_INVALID' } }]);
    expect((await ask('mutation { write }', token)).errors).toEqual([
      {
        message: expect.stringContaining('"write"'),
        path: ['write'],
        locations: expect.anything(),
        extensions: { code: 'FORBIDDEN', next: expect.any(String), requestId: 'r2' },
      },
    ]);
    const broken = JSON.stringify((await ask('{ broken }', token)).errors);
    expect(broken).not.toMatch(/hunter2|stack|\.ts/);
  });

  it('tells its health without asking for an identity', async () => {
    for (const path of ['/health/live', '/health/ready', '/metrics'])
      expect((await fetch(`${url}${path}`)).status).toBe(200);
  });

  it('says that a port is taken', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => holder.once('listening', resolve));
    const { port } = holder.address() as AddressInfo;
    const second = await startSubgraph({
      name: 'second',
      module: { module: ThingModule, providers: [ThingResolver] },
      typeDefs,
      seal,
      log: createLog({ name: 'test', level: 'silent', pretty: false }),
    });
    await expect(second.listen(port, '127.0.0.1')).rejects.toMatchObject({ code: 'PORT_TAKEN' });
    await second.close();
    holder.close();
  });
});
