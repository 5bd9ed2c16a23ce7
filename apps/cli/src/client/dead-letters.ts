import { z } from 'zod';
import type { Client } from './client.js';
import { Failure } from './shapes.js';

/** What the command line reads of the server's answers about dead letters. */
export const DeadLetter = z.object({
  id: z.string(),
  service: z.string(),
  tenant: z.string().nullable(),
  source: z.string(),
  name: z.string(),
  document: z.string().nullable(),
  why: Failure,
  attempts: z.number().nullable(),
  buriedAt: z.string(),
});
export type DeadLetter = z.infer<typeof DeadLetter>;

export const WholeDeadLetter = DeadLetter.extend({ payload: z.unknown(), cut: z.boolean() });
export type WholeDeadLetter = z.infer<typeof WholeDeadLetter>;

/** Of a service that did not answer. */
const Notices = z.array(Failure.extend({ service: z.string() }));

export const DeadLetterPage = z.object({
  deadLetters: z.array(DeadLetter),
  next: z.string().nullable(),
  notices: Notices,
});

const Retried = z.object({
  retried: z.number(),
  failed: z.number(),
  failures: z.array(z.object({ service: z.string(), id: z.string(), why: Failure })),
  more: z.boolean(),
  notices: Notices,
});
export type Retried = z.infer<typeof Retried>;

export type DeadLetterFilter = Partial<Record<'service' | 'source' | 'name' | 'document' | 'tenant', string>>;

const PATH = 'api/v1/dead-letters';

export const listDeadLetters = (client: Client, filter: DeadLetterFilter, first: number, after?: string) => {
  const given = Object.entries({ ...filter, first: String(first), after }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as [string, string]],
  );
  return client.get(DeadLetterPage, `${PATH}?${new URLSearchParams(given)}`);
};

export const readDeadLetter = (client: Client, address: string) => client.get(WholeDeadLetter, `${PATH}/${address}`);

export const retryDeadLetters = (
  client: Client,
  choice: { ids: readonly string[] } | { filter: DeadLetterFilter },
): Promise<Retried> => client.send(Retried, 'POST', `${PATH}/retry`, choice);

export const dropDeadLetter = async (client: Client, address: string): Promise<void> => {
  await client.send(z.object({ id: z.string() }), 'DELETE', `${PATH}/${address}`);
};
