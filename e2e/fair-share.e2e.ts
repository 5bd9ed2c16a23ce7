import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, clientOf, follow } from './client.js';
import { type ServerProcess, startServer, temporaryFolder } from './server-process.js';

const ADMIN = 'operators-key-of-the-test';
const BULK = 300;
/** What is being read, encoded and written when the upload comes, and what goes with it in its own steps. */
const MOST_BETWEEN = 40;
const folder = temporaryFolder();
let server: ServerProcess;
let busy: Client;
let other: Client;

const keyOf = async (operator: Client, tenant: string): Promise<string> => {
  const { createTenant } = await operator.ask<{ createTenant: { key: { secret: string } } }>(
    `mutation($input: CreateTenantInput!) { createTenant(input: $input) { ... on NewTenant { key { secret } } } }`,
    { input: { id: tenant, name: tenant } },
  );
  return createTenant.key.secret;
};

const bulkDocument = (number: number): string =>
  Array.from(
    { length: 6 },
    (_, at) =>
      `Ledger ${number}, page ${at}: ${`the harbour of town ${number * 7 + at} paid its pilots in herring. `.repeat(8)}`,
  ).join('\n\n');

const searchableOf = async (client: Client): Promise<number> =>
  (
    await client.ask<{ documents: { totalCount: number } }>(
      `{ documents(filter: { status: [SEARCHABLE, READY] }) { totalCount } }`,
    )
  ).documents.totalCount;

beforeAll(async () => {
  server = await startServer(folder.path, { POSTMASTER_ADMIN_KEY: ADMIN, ENCODER_THREADS: '1' });
  busy = clientOf(server, server.key);
  other = clientOf(server, await keyOf(clientOf(server, ADMIN), 'other'));
  const numbers = Array.from({ length: BULK }, (_, number) => number);
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let number = numbers.shift(); number !== undefined; number = numbers.shift()) {
        const { status } = await busy.upload(`${number}.txt`, bulkDocument(number), { priority: 'BULK' });
        expect(status).toBe(202);
      }
    }),
  );
}, 180_000);
afterAll(async () => {
  await server.end();
  folder.remove();
});

it.each(['INTERACTIVE', 'BULK'])(
  "an upload as %s is searchable after few of another tenant's bulk, however much of it waits",
  async (priority) => {
    const before = await searchableOf(busy);
    expect(BULK - before).toBeGreaterThan(2 * MOST_BETWEEN); // there is something to wait for
    const { body } = await other.upload(`${priority}.txt`, `The ferry to Samsø leaves from Hou, ${priority}.`, {
      priority,
    });
    await follow(other, String(body.id), ['SEARCHABLE', 'READY'], 120_000);
    expect((await searchableOf(busy)) - before).toBeLessThanOrEqual(MOST_BETWEEN);
  },
  150_000,
);
