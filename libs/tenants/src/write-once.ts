import {
  ANSWERS_KEPT_MS,
  beginWrite as beginWriteType,
  CLAIM_LASTS_MS,
  CodedError,
  KeptAnswer,
  type NewId,
  type TenantId,
} from '@postmaster/contracts';
import type { Database } from '@postmaster/durable';
import type { z } from 'zod';
import type { TenantsTables } from './rows/tables.js';
import { claimWrite, dropClaim, dropOlder, holdClaim, keepAnswer, takeOver } from './rows/writes.js';
import type { SecretBox } from './secret-box.js';

export interface WritePorts {
  db: Database<TenantsTables>;
  now: () => Date;
  newId: NewId;
  /** Answers are sealed: the one to a new key holds its secret. */
  answers: SecretBox;
}

const after = (at: Date, ms: number): Date => new Date(at.getTime() + ms);
const aboutOf = (tenant: TenantId, key: string): string[] => [tenant, 'answer', key];

/**
 * Claims the key, or gives the answer that it has. A claim that nobody renewed has lapsed: whoever had it is dead, and
 * the write may be done again, which does no harm, since what is written has an identity of its own.
 * Throws IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_IN_PROGRESS.
 */
export const beginWrite =
  ({ db, now, newId, answers }: WritePorts) =>
  async (tenant: TenantId, key: string, print: string | null): Promise<z.input<typeof beginWriteType.output>> => {
    const at = now();
    const mine = { key, print, claim: newId(), at, lapsesAt: after(at, CLAIM_LASTS_MS) };
    const had = await db.asTenant(tenant, async (tx) => {
      const there = await claimWrite(tx, tenant, mine);
      if (!there) return undefined;
      const expired = there.began_at <= after(at, -ANSWERS_KEPT_MS) && there.lapses_at <= at;
      if (!expired) {
        if (print !== null && there.print !== null && there.print !== print) throw reused(key);
        if (there.answer !== null) return there.answer;
        if (there.lapses_at > at) throw inProgress(key);
      }
      await takeOver(tx, tenant, mine);
      return undefined;
    });
    if (had === undefined) return { state: 'begun', claim: mine.claim };
    return { state: 'told', ...KeptAnswer.parse(JSON.parse(answers.open(had, aboutOf(tenant, key)))) };
  };

export const holdWrite =
  ({ db, now }: Pick<WritePorts, 'db' | 'now'>) =>
  (tenant: TenantId, key: string, claim: string): Promise<void> =>
    db.asTenant(tenant, (tx) => holdClaim(tx, tenant, key, claim, after(now(), CLAIM_LASTS_MS)));

/** Keeps what the write was answered with; null frees the key. Nothing happens where the claim was taken over. */
export const endWrite =
  ({ db, answers }: Pick<WritePorts, 'db' | 'answers'>) =>
  async (tenant: TenantId, key: string, claim: string, answer: KeptAnswer | null): Promise<void> => {
    const sealed = answer && {
      print: answer.print,
      answer: answers.seal(JSON.stringify(answer), aboutOf(tenant, key)),
    };
    await db.asTenant(tenant, (tx) =>
      sealed ? keepAnswer(tx, tenant, key, claim, sealed) : dropClaim(tx, tenant, key, claim),
    );
  };

/** Drops what is older than a key is kept. */
export const sweepWrites =
  ({ db, now }: Pick<WritePorts, 'db' | 'now'>) =>
  (): Promise<void> =>
    db.asSystem((tx) => dropOlder(tx, after(now(), -ANSWERS_KEPT_MS)));

const reused = (key: string): CodedError =>
  new CodedError('IDEMPOTENCY_KEY_REUSED', `The Idempotency-Key "${key}" was sent with another request before.`);

const inProgress = (key: string): CodedError =>
  new CodedError('IDEMPOTENCY_IN_PROGRESS', `The request of the Idempotency-Key "${key}" is still being done.`, {
    retryAfter: 2,
  });
