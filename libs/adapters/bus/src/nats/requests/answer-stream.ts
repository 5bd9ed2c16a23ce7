import { createInbox, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { CodedError, type RequestType } from '@postmaster/contracts';
import { bounded, Control, type Frame, type NatsRequestsOptions, STREAM_WINDOW } from './request-wire.js';
import { type WireError, toWire } from './wire-error.js';
import { decodeJson, encodeJson } from './wire-json.js';

/**
 * Sends the items of an answer to the inbox that asks, numbered, at most a window ahead of what was taken, and a beat
 * when there is nothing to send. The items' signal is aborted when the asking side calls it off or has been silent for
 * three beats, or by `stopping`. Never throws.
 */
export const sendItems = async (
  { beatMs = 5_000, onError }: Pick<NatsRequestsOptions, 'beatMs' | 'onError'>,
  connection: NatsConnection,
  type: RequestType,
  question: Msg,
  stopping: AbortSignal,
  items: (signal: AbortSignal) => AsyncIterable<unknown>,
): Promise<void> => {
  const asked = new AbortController();
  let sent = 0;
  let taken = 0;
  let heardAt = Date.now();
  let room = (): void => {};

  const end = (): void => {
    asked.abort();
    room();
  };
  const send = (bytes: Uint8Array): void => {
    if (!connection.isClosed()) question.respond(bytes);
  };
  const sendFrame = (frame: Frame): void => send(encodeJson(frame));
  const controlInbox = createInbox();
  const control = connection.subscribe(controlInbox, {
    callback: (_error, message) => {
      heardAt = Date.now();
      const said = controlIn(message);
      if (said?.cancel) return end();
      taken = Math.max(taken, said?.taken ?? 0);
      room();
    },
  });
  const beat = setInterval(() => {
    if (Date.now() - heardAt > beatMs * 3) end();
    else sendFrame({ kind: 'beat', at: sent });
  }, beatMs);
  stopping.addEventListener('abort', end, { once: true });
  const fail = (error: unknown): void => {
    const wire: WireError = toWire(error);
    if (wire.code === 'INTERNAL') onError?.(error, type.subject);
    sendFrame({ kind: 'error', at: sent, error: wire });
  };
  try {
    sendFrame({ kind: 'open', at: 0, control: controlInbox });
    for await (const value of items(asked.signal)) {
      if (asked.signal.aborted) break;
      const frame: Frame = { kind: 'item', at: sent, value };
      const bytes = bounded(frame, `An item of "${type.subject}"`, connection.info?.max_payload);
      send(bytes);
      sent++;
      while (sent - taken >= STREAM_WINDOW && !asked.signal.aborted)
        await new Promise<void>((resolve) => (room = resolve));
    }
    if (stopping.aborted) throw new CodedError('SERVICE_UNAVAILABLE', `"${type.subject}" stopped before its end.`);
    sendFrame({ kind: 'end', at: sent });
  } catch (error) {
    if (!asked.signal.aborted || stopping.aborted) fail(error);
  } finally {
    clearInterval(beat);
    stopping.removeEventListener('abort', end);
    control.unsubscribe();
  }
};

const controlIn = (message: Msg): Control | undefined => {
  try {
    return Control.parse(decodeJson(message.data));
  } catch {
    return undefined;
  }
};
