import { type AnswerEvent, CODES, hashOf, type Notice, type Requests, type TenantId } from '@postmaster/contracts';
import type { answerStream } from '../answer.js';
import type { Fold } from '../fold-repeats.js';
import { keepLiving } from '../keep-living.js';
import type { SearchRequest } from '../search.js';
import type { Freshness } from './document-freshness.js';
import type { LookUp } from './look-up.js';
import { type SharedStream, sharedStream } from './shared-stream.js';
import { tenantCache } from './tenant-cache.js';

type AnswerStream = ReturnType<typeof answerStream>;

export interface CachedAnswerPorts {
  stream: AnswerStream;
  /**
   * All that an answer depends on beside the documents, in words: the request as it is carried out, the model, its
   * prompt. Undefined where this answer is neither to be taken from the cache nor to be kept.
   */
  keyOf: (tenant: TenantId, token: string, request: SearchRequest) => Promise<string | undefined>;
  freshness: Freshness;
  requests: Requests;
  onLookUp?: (lookUp: LookUp) => void;
  /** Milliseconds, of the origin that `freshness` has. */
  now: () => number;
  entries?: number;
  bytes?: number;
}

/**
 * Answers as the stream gives them, kept until a document of the tenant changes; equal questions at one moment are
 * answered once. A kept answer has the same events, `done` saying so, and is given only where the owner of its hits says
 * at that moment that all of them are still there. What was refused, or was made while something was out, is not kept.
 */
export const cachedAnswers = ({
  stream,
  keyOf,
  freshness,
  requests,
  onLookUp,
  now,
  entries = 5_000,
  bytes = 64 * 1024 * 1024,
}: CachedAnswerPorts): AnswerStream => {
  const cache = tenantCache<readonly AnswerEvent[]>({
    ...{ entries, bytes, now, lastsMs: freshness.lastsMs },
    bytesOf: (events) => 2 * JSON.stringify(events).length,
  });
  freshness.onChange((tenant) => (tenant ? cache.drop(tenant) : cache.clear()));
  const underWay = new Map<string, { answer: SharedStream<AnswerEvent>; began: number }>();

  const start = (tenant: TenantId, token: string, request: SearchRequest, key: string): SharedStream<AnswerEvent> => {
    const place = hashOf(tenant, key);
    const began = now();
    const answer = sharedStream(
      (signal) => stream(tenant, token, request, signal),
      (events) => {
        if (underWay.get(place)?.answer === answer) underWay.delete(place);
        if (events && isWhole(events) && freshness.holds(tenant, began)) cache.set(tenant, key, [...events]);
      },
    );
    underWay.set(place, { answer, began });
    return answer;
  };

  return async function* (tenant, token, request, signal) {
    const key = await keyOf(tenant, token, request);
    if (key === undefined) return yield* stream(tenant, token, request, signal);
    const kept = cache.get(tenant, key);
    if (kept && (await allLiving(requests, token, kept))) {
      onLookUp?.('hit');
      for (const event of kept) yield event.type === 'done' ? { ...event, cached: true } : event;
      return;
    }
    if (kept) cache.delete(tenant, key);
    const there = underWay.get(hashOf(tenant, key));
    const joined = there?.answer.whole && freshness.holds(tenant, there.began) ? there.answer : undefined;
    onLookUp?.(joined ? 'joined' : 'miss');
    yield* (joined ?? start(tenant, token, request, key)).read(signal);
  };
};

const allLiving = async (requests: Requests, token: string, events: readonly AnswerEvent[]): Promise<boolean> => {
  const hits = events.flatMap((event) => (event.type === 'hits' ? event.hits : []));
  const likely = hits.map(({ paragraph, duplicates }): Fold<{ candidate: { id: string } }> => [
    { candidate: paragraph },
    ...duplicates.map((candidate) => ({ candidate })),
  ]);
  const { dropped, notices } = await keepLiving(requests, token, likely);
  return dropped === 0 && notices.length === 0;
};

/** It came to its end, and no notice tells of something that was out: those have the status of a server's fault. */
const isWhole = (events: readonly AnswerEvent[]): boolean => {
  const last = events.at(-1);
  return last?.type === 'done' && !last.notices.some(isOutage);
};

/** What passes by itself, or with another budget. */
const isOutage = ({ code }: Notice): boolean =>
  !(code in CODES) || code === 'BUDGET_USED' || CODES[code as keyof typeof CODES].status >= 500;
