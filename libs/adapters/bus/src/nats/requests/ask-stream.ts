import { createInbox, type Msg } from '@nats-io/transport-node';
import { CodedError, type RequestType } from '@postmaster/contracts';
import { absent, connected, lostOn } from './ask-once.js';
import { frameQueue } from './frame-queue.js';
import {
  bounded,
  Frame,
  type NatsRequestsOptions,
  requestHeaders,
  STREAM_WINDOW,
  subjectOfRequest,
} from './request-wire.js';
import { fromWire } from './wire-error.js';
import { decodeJson, encodeJson } from './wire-json.js';

/**
 * Asks, and gives the items as they come, none twice and none left out: a gap, a silence of three beats or a lost
 * connection is SERVICE_UNAVAILABLE; no item for the type's time limit is TIMED_OUT. Leaving the loop, or the signal,
 * ends the answering side, too.
 */
export async function* askStream(
  options: NatsRequestsOptions,
  type: RequestType,
  token: string,
  input: unknown,
  signal: AbortSignal,
): AsyncGenerator<unknown> {
  const { beatMs = 5_000 } = options;
  const connection = await connected(options.nats, type);
  if (signal.aborted) return;
  const body = bounded(input, `The question "${type.subject}"`, connection.info?.max_payload);
  const { session } = options.nats;
  const incoming = frameQueue();
  const at = { heard: Date.now(), item: Date.now() };
  let taken = 0;
  let control: string | undefined;
  let over: 'ended' | 'left' | undefined;

  const say = (cancel: boolean): void => {
    if (control && !connection.isClosed()) connection.publish(control, encodeJson({ taken, cancel }));
  };
  const inbox = createInbox();
  const subscription = connection.subscribe(inbox, {
    callback: (error, message) => {
      at.heard = Date.now();
      const frame = error || isNobody(message) ? undefined : frameIn(message);
      if (!frame) return incoming.fail(error ?? (isNobody(message) ? absent(type.subject) : unknownForm(type)));
      if (frame.kind === 'item') at.item = Date.now();
      if (frame.kind !== 'open') return incoming.push(frame);
      ({ control } = frame);
      if (over === 'left') leave(); // it was called off before it was known where to say so
    },
  });
  const leave = (): void => {
    say(true);
    subscription.unsubscribe();
  };
  const look = (): void => {
    if (Date.now() - at.heard > beatMs * 3) incoming.fail(unavailable(type, 'fell silent before its end.'));
    else if (Date.now() - at.item > type.timeoutMs) incoming.fail(late(type));
    else say(false);
  };
  const timer = setInterval(look, Math.min(beatMs, Math.max(20, type.timeoutMs / 4)));
  const lose = (): void => incoming.fail(lostOn(type));
  session.addEventListener('abort', lose, { once: true });
  signal.addEventListener('abort', incoming.close, { once: true });
  try {
    connection.publish(subjectOfRequest(type.subject), body, { reply: inbox, headers: requestHeaders(token, options) });
    for (let frame = await incoming.next(); frame; frame = await incoming.next()) {
      if (frame.at !== taken) throw unavailable(type, 'lost items on their way.');
      if (frame.kind === 'end' || frame.kind === 'error') over = 'ended';
      if (frame.kind === 'end') return;
      if (frame.kind === 'error') throw fromWire(frame.error);
      if (frame.kind !== 'item') continue;
      taken++;
      yield frame.value;
      at.item = Date.now(); // the time that the asking side takes is not the answering side's
      if (taken % (STREAM_WINDOW / 2) === 0) say(false);
    }
  } finally {
    clearInterval(timer);
    session.removeEventListener('abort', lose);
    signal.removeEventListener('abort', incoming.close);
    over ??= 'left';
    if (over === 'ended') subscription.unsubscribe();
    else if (control) leave();
    else setTimeout(() => subscription.unsubscribe(), beatMs).unref();
  }
}

const frameIn = (message: Msg): Frame | undefined => {
  try {
    return Frame.parse(decodeJson(message.data));
  } catch {
    return undefined;
  }
};

/** The server's own answer where nobody listens on the subject. */
const isNobody = (message: Msg): boolean => message.data.length === 0 && message.headers?.code === 503;

const unknownForm = ({ subject }: RequestType): Error => new Error(`A frame of "${subject}" has an unknown form.`);

const unavailable = ({ subject }: RequestType, what: string): CodedError =>
  new CodedError('SERVICE_UNAVAILABLE', `"${subject}" ${what}`);

const late = ({ subject, timeoutMs }: RequestType): CodedError =>
  new CodedError('TIMED_OUT', `"${subject}" gave nothing for ${timeoutMs} ms.`);
