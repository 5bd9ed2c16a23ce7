import { z } from 'zod';
import { CliError } from '../cli-error.js';
import { type Client, notRefused, Refused } from './client.js';
import { Failure } from './shapes.js';

/** What the command line reads of a comparison of rows and points. */
export const Reconciliation = z.object({
  id: z.string(),
  status: z.enum(['RUNNING', 'DONE', 'FAILED']),
  dryRun: z.boolean(),
  total: z.number(),
  looked: z.number(),
  missing: z.number(),
  orphaned: z.number(),
  stale: z.number(),
  mended: z.number(),
  fault: Failure.nullable(),
});
export type Reconciliation = z.infer<typeof Reconciliation>;

/** What it reads of a rebuild. */
export const Rebuild = z.object({
  id: z.string(),
  phase: z.enum(['CLEARING', 'FILLING', 'COMPARING', 'DROPPING', 'DONE', 'FAILED']),
  index: z.string(),
  encoder: z.string(),
  total: z.number(),
  filled: z.number(),
  compared: z.number(),
  fault: Failure.nullable(),
});
export type Rebuild = z.infer<typeof Rebuild>;

const FAULT = 'fault { code message next }';
const RECONCILIATION = `id status dryRun total looked missing orphaned stale mended ${FAULT}`;
const REBUILD = `id phase index encoder total filled compared ${FAULT}`;
const REFUSED = '... on Refused { code message next }';

// Both are begun by a mutation that gives the run that goes on when it is asked again: it may be sent twice.

export const beginReconcile = async (client: Client, dryRun: boolean): Promise<Reconciliation> => {
  const Result = z.object({
    begun: z.union([Reconciliation.extend({ __typename: z.literal('Reconciliation') }), Refused]),
  });
  const text = `mutation ($dryRun: Boolean) {
    begun: reconcileIndex(dryRun: $dryRun) { __typename ... on Reconciliation { ${RECONCILIATION} } ${REFUSED} }
  }`;
  return notRefused((await client.query(Result, text, { dryRun })).data.begun);
};

export const readReconcile = async (client: Client, id: string): Promise<Reconciliation> => {
  const Result = z.object({ run: Reconciliation.nullable() });
  const text = `query ($id: ID) { run: reconciliation(id: $id) { ${RECONCILIATION} } }`;
  return there((await client.query(Result, text, { id })).data.run, id);
};

export const beginRebuild = async (client: Client): Promise<Rebuild> => {
  const Result = z.object({ begun: z.union([Rebuild.extend({ __typename: z.literal('Rebuild') }), Refused]) });
  const text = `mutation { begun: rebuildIndex { __typename ... on Rebuild { ${REBUILD} } ${REFUSED} } }`;
  return notRefused((await client.query(Result, text)).data.begun);
};

export const readRebuild = async (client: Client, id: string): Promise<Rebuild> => {
  const Result = z.object({ run: Rebuild.nullable() });
  const text = `query ($id: ID) { run: rebuild(id: $id) { ${REBUILD} } }`;
  return there((await client.query(Result, text, { id })).data.run, id);
};

const there = <T>(run: T | null, id: string): T => {
  if (run) return run;
  throw new CliError(
    'NOT_FOUND',
    `There is no run "${id}".`,
    'See that POSTMASTER_URL names the same server as before.',
  );
};
