import {
  DeadLetterDetails,
  DeadLetterFacts,
  DeadLetterFilter,
  DeadLetterService,
  Failure,
  MAX_DEAD_LETTER_IDS,
} from '@postmaster/contracts';
import { z } from 'zod';

const filter = { ...DeadLetterFilter.shape, service: DeadLetterService.optional() };

export const DeadLettersQuery = z.strictObject({
  ...filter,
  first: z.coerce.number().int().min(1).max(100).default(20),
  after: z.string().min(1).optional().describe('`next` of the page before.'),
});

export const DeadLetterAddress = z.object({ service: DeadLetterService, id: z.guid() });
export type DeadLetterAddress = z.infer<typeof DeadLetterAddress>;

const Address = z
  .templateLiteral([DeadLetterService, '/', z.guid()])
  .describe('<service>/<id>, as the list gives them.');

export const RetryDeadLettersBody = z.union(
  [
    z.strictObject({ ids: z.array(Address).min(1).max(MAX_DEAD_LETTER_IDS) }),
    z.strictObject({ filter: z.strictObject(filter).describe('All that fit; an empty one means all.') }),
  ],
  {
    error: `should be {"ids": ["<service>/<id>"]} with at most ${MAX_DEAD_LETTER_IDS}, or {"filter": {}} with any of service, source, name, document and tenant`,
  },
);

/** What one service could not say or do, beside what the others did. */
export const DeadLetterNotice = Failure.extend({ service: DeadLetterService });
export type DeadLetterNotice = z.infer<typeof DeadLetterNotice>;

const Notices = z.array(DeadLetterNotice).describe('Of services that did not answer; the rest is complete.');

export const DeadLettersShape = z.object({
  deadLetters: z.array(DeadLetterFacts).describe('Newest first.'),
  next: z.string().nullable().describe('`after` of the next page; null at the end.'),
  notices: Notices,
});

export const DeadLetterShape = DeadLetterDetails;

export const RetriedShape = z.object({
  retried: z.number().int().describe('Given out again; they are listed no more.'),
  failed: z.number().int().describe('Those that stay.'),
  failures: z.array(DeadLetterAddress.extend({ why: Failure })).describe('The first of those.'),
  more: z.boolean().describe('The time was up before all were gone through: ask again.'),
  notices: Notices,
});

export const DroppedShape = DeadLetterAddress;
