import type { NatsConnection } from '@nats-io/transport-node';
import {
  type Bell,
  buryEvent,
  type Database,
  type KnownStream,
  type OutboxShare,
  outgoingEvents,
  publishAgain,
  releaseRelay,
  rememberStream,
  settleOutgoing,
  takeRelay,
} from '@postmaster/durable';
import { backoffMs, pause } from './backoff.js';
import { inSession, type Nats } from './connect-nats.js';
import { eraseMessages } from './erase-messages.js';
import { publishEvents } from './publish-events.js';
import { ensureStream, type StreamLimits, STREAMS, streamsApi } from './streams.js';

export interface StreamRelay {
  nats: Nats;
  db: Database<unknown>;
  service: string;
  share: OutboxShare;
  /** Of this replica. */
  holder: string;
  limits: StreamLimits;
  /** Rung by the share's name. */
  bell: Bell;
  signal: AbortSignal;
  batch: number;
  leaseMs: number;
  maxBytes: number;
  onPublished: (count: number) => void;
  onAgain: (stream: string, count: number) => void;
  onError: (error: unknown) => void;
}

const IDLE_MS = 500;
/** How often a stream that is written to is compared with what it was. */
const LOOK_MS = 5_000;
/** Differs from every stream that there is. */
const LOST: KnownStream = { created: 'lost', lastSequence: 0 };
const RETRY_MS = { first: 200, most: 5_000 };

/** Relays to one stream while this replica holds its lease. */
export const relayStream = (relay: StreamRelay): { holds(): boolean; ended: Promise<void> } => {
  const { nats, db, service, share, holder, bell, signal, batch, leaseMs } = relay;
  const stream = STREAMS[share].name;
  let heldUntil = 0;
  let known: KnownStream = { created: null, lastSequence: 0 };
  /** The session and the time when the stream was last compared. */
  let looked: { session?: AbortSignal; at: number } = { at: 0 };

  const hold = async (): Promise<boolean> => {
    if (heldUntil - Date.now() > (leaseMs * 2) / 3) return true;
    const before = Date.now();
    const took = await takeRelay(db, stream, holder, leaseMs);
    if (took && heldUntil < before) {
      known = took; // another may have had it in between
      looked = { at: 0 };
    }
    heldUntil = took ? before + leaseMs : 0;
    return took !== undefined;
  };

  /** Makes the stream where it is missing; where it is not the one it was, all that it was given goes out again. */
  const look = async (connection: NatsConnection): Promise<void> => {
    const { session } = nats;
    const api = await streamsApi(connection);
    const { created, state } = await inSession(session, ensureStream(api, share, relay.limits, relay.onError));
    const other = known.created !== null && (known.created !== created || state.last_seq < known.lastSequence);
    if (other) relay.onAgain(stream, await publishAgain(db, share));
    const unseen = other || known.created === null;
    known = { created, lastSequence: state.last_seq };
    if (unseen) await rememberStream(db, stream, known);
    looked = { session, at: Date.now() };
  };

  /** True when there may be more at once. */
  const send = async (connection: NatsConnection): Promise<boolean> => {
    const due = await outgoingEvents(db, share, batch);
    if (due.length === 0) return false;
    const { lastSequence } = known;
    const sent = await publishEvents(connection, nats.session, due, {
      ...{ service, stream, lastSequence, maxBytes: relay.maxBytes },
    });
    if (sent.wentBack) await rememberStream(db, stream, LOST); // and again by the next holder, should this one die
    known = sent.wentBack ? LOST : { ...known, lastSequence: sent.lastSequence };
    for (const { event, why } of sent.refused) await buryEvent(db, event, `${service}.relay`, why);
    const gone = [...sent.kept, ...sent.refused.map(({ event }) => ({ id: event.id }))];
    await settleOutgoing(db, stream, gone, known.lastSequence);
    if (sent.kept.length > 0) relay.onPublished(sent.kept.length);
    if (sent.wentBack || sent.error) looked = { at: 0 };
    if (sent.error) throw sent.error;
    return due.length === batch;
  };

  const run = async (): Promise<void> => {
    for (let failed = 0; !signal.aborted;) {
      try {
        const connection = await nats.ready(leaseMs, signal);
        if (!connection) continue; // said by the connection itself
        if (!(await hold())) {
          await bell.wait(share, leaseMs / 3, signal);
          continue;
        }
        if (looked.session !== nats.session || Date.now() - looked.at > LOOK_MS) await look(connection);
        const more = await send(connection);
        await eraseMessages({ ...relay, connection });
        failed = 0;
        if (!more) await bell.wait(share, IDLE_MS, signal);
      } catch (error) {
        if (nats.failure === null) relay.onError(error);
        await pause(backoffMs(failed++, RETRY_MS.first, RETRY_MS.most), signal);
      }
    }
    if (heldUntil > 0) await releaseRelay(db, stream, holder).catch(relay.onError);
  };

  return { holds: () => heldUntil > Date.now(), ended: run() };
};
